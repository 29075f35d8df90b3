//! A table of text in aligned columns, the form in which every command shows its results.

#[cfg(test)]
mod tests;

/// Lays `rows` out below `header`, two spaces between columns, each line indented by two.
pub(crate) fn render(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut lines: Vec<Vec<&str>> = vec![header.to_vec()];
    lines.extend(rows.iter().map(|row| row.iter().map(String::as_str).collect()));

    let mut widths = vec![0; lines.iter().map(Vec::len).max().unwrap_or(0)];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }

    let mut text = String::new();
    for line in &lines {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        text.push_str("  ");
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
