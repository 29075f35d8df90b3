//! Columns line up, whatever the rows hold.

use super::render;

#[test]
fn columns_are_as_wide_as_their_widest_cell() {
    let rows = vec![vec!["relu".to_owned(), "12.50".to_owned()], vec!["é".to_owned(), String::new()]];
    assert_eq!(render(&["loop", "now"], &rows), "  loop  now\n  relu  12.50\n  é\n");
}

#[test]
fn a_table_without_rows_is_its_header() {
    assert_eq!(render(&["step", "result"], &[]), "  step  result\n");
}
