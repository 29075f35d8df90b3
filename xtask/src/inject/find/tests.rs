use super::*;

/// Line, what the expression is for, and its words.
fn found(source: &str) -> Vec<(usize, &'static str, &str)> {
    let sites = find(source).unwrap();
    sites.iter().map(|site| (site.line, site.kind.function(), &source[site.range.clone()])).collect()
}

#[test]
fn indices_bounds_dimensions_and_shares() {
    let source = "fn f() {
        for row in q7.partition(src.size(0)) {
            dst.set([row, 2 * i], src.get(row));
        }
    }";
    let expected = [
        (2, "share", "q7.partition(src.size(0))"),
        (2, "bound", "src.size(0)"),
        (2, "dimension", "0"),
        (3, "order", "[row, 2 * i]"),
        (3, "index", "row"),
        (3, "index", "2 * i"),
        (3, "index", "row"),
    ];
    assert_eq!(found(source), expected);
}

#[test]
fn inside_match_dtype_and_its_guards() {
    let source = "fn f() {
        match_dtype!(x, f32 | f16 as T => {
            match place {
                column if column < src.size(1) => dst.set(column, 0),
            }
        })
    }";
    assert_eq!(found(source), [(4, "dimension", "1"), (4, "index", "column")]);
}

#[test]
fn variables_of_a_site_where_they_are_made() {
    let source = "fn f() {
        let (id, other) = (q7.get_cpu_id(), 3 * 4);
        let len = n / 8;
        let start = id * len;
        let weight = 0.5 * scale;
        for i in start..(start + len).min(n) {}
    }";
    let expected = [
        (2, "index", "q7.get_cpu_id()"),
        (3, "bound", "n / 8"),
        (4, "bound", "id * len"),
        (6, "bound", "start"),
        (6, "bound", "(start + len).min(n)"),
        (6, "limit", "n"),
    ];
    assert_eq!(found(source), expected);
}

#[test]
fn views() {
    let source = "fn f() { x.slice(1, first, 7, 2); x.transpose(0, 1); x.select(0, i); }";
    let expected = [
        (1, "dimension", "1"),
        (1, "bound", "first"),
        (1, "bound", "7"),
        (1, "bound", "2"),
        (1, "dimension", "0"),
        (1, "dimension", "1"),
        (1, "dimension", "0"),
        (1, "bound", "i"),
    ];
    assert_eq!(found(source), expected);
}

#[test]
fn none_in_shape_functions_constants_patterns_tests_and_stack_arrays() {
    let source = "
        fn shape(inputs: &[TensorSpec]) -> Result<TensorSpec> { inputs.get(0) }
        const N: usize = a.size(0);
        fn f() {
            match n { 0..=3 => {}, _ => {} }
            best[rank..][i];
            [0; x.size(1)];
        }
        #[cfg(test)]
        mod tests { fn g() { x.get(0) } }
    ";
    assert_eq!(found(source), []);
}

#[test]
fn what_is_no_rust() {
    assert_eq!(find("fn").unwrap_err().to_string(), "is no Rust");
}

#[test]
fn copies_have_a_span_or_an_offset() {
    let source = "fn f() {
        let mut buffer = q7.tcm_malloc::<f32>(TILE)?;
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        out.tcm_to_tensor_async(q7, 2 * tile.offset, values)?;
    }";
    assert_eq!(found(source), [(2, "bound", "TILE"), (3, "span", "tile"), (4, "index", "2 * tile.offset")]);
}

#[test]
fn copies_are_waited_for() {
    let source = "fn f() {
        let [xs, ys] = copies.map(|copy| copy.wait());
        leaving.take().wait();
    }";
    assert_eq!(found(source), [(2, "wait", "copy"), (3, "wait", "leaving.take()")]);
}
