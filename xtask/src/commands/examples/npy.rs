//! The little of the `.npy` format that the examples' files need: f32, C order, version 1.0.

use anyhow::{Context, Result, ensure};

/// Magic and version, before the header's length.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// Length of magic, version and header length.
const PREFIX: usize = MAGIC.len() + 2;

/// The file of an array.
pub(super) fn encode(sizes: &[usize], values: &[f32]) -> Vec<u8> {
    let shape: String = sizes.iter().map(|size| format!("{size},")).collect();
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let mut file = MAGIC.to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    file
}

/// Sizes and values of a file.
pub(super) fn decode(file: &[u8]) -> Result<(Vec<usize>, Vec<f32>)> {
    ensure!(file.starts_with(MAGIC), "not a .npy file of version 1.0");
    let len = file.get(MAGIC.len()..PREFIX).context("the file ends in its header")?;
    let end = PREFIX + usize::from(u16::from_le_bytes([len[0], len[1]]));
    let header = std::str::from_utf8(file.get(PREFIX..end).context("the file ends in its header")?)?;
    ensure!(
        header.contains("'descr': '<f4'") && header.contains("'fortran_order': False"),
        "header {header}"
    );
    let shape = header.split_once("'shape': (").and_then(|(_, rest)| rest.split_once(')'));
    let (shape, _) = shape.with_context(|| format!("no shape in header {header}"))?;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty()).map(str::parse);
    let values =
        file[end..].chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    Ok((sizes.collect::<Result<_, _>>()?, values.collect()))
}
