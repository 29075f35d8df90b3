//! A kept launch as a file: a safetensors file whose metadata describe the launch, and whose tensors are the pages of its
//! storages.

use std::collections::HashMap;
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::TensorView;

use super::error::{ReplayError, SaveError};
use super::kept::{BITS, Kept, Pages};
use crate::bitmap::PAGE;
use crate::elf;

/// The metadata that says which version of this format it is, and the one with the launch.
const FORMAT: &str = "neuron_replay";
const LAUNCH: &str = "launch";
/// What changes when older programs cannot read a file any more.
const VERSION: &str = "1";
/// Bytes of the largest file worth reading: pages are bounded when they are kept, and so is what describes them.
const LARGEST: u64 = 2 * super::kept::MOST;

/// Write the launch to a file.
pub(super) fn save(kept: &Kept, path: &Path) -> Result<(), SaveError> {
    let failed = |error: String| SaveError::File { path: path.to_owned(), error };
    let launch = serde_json::to_string(kept).map_err(|error| failed(error.to_string()))?;
    let metadata = [(FORMAT, VERSION.to_owned()), (LAUNCH, launch)];
    let metadata: HashMap<_, _> = metadata.map(|(key, value)| (key.to_owned(), value)).into();
    let mut tensors = Vec::new();
    for (number, storage) in kept.storages.iter().enumerate() {
        let initialised = storage.initialised.iter().map(|pages| (names(number).1, pages, BITS));
        for (name, pages, each) in
            [(names(number).0, &storage.pages, PAGE as usize)].into_iter().chain(initialised)
        {
            let shape = vec![pages.data.len() / each, each];
            let view = TensorView::new(safetensors::Dtype::U8, shape, &pages.data);
            tensors.push((name, view.map_err(|error| failed(error.to_string()))?));
        }
    }
    safetensors::serialize_to_file(tensors, Some(metadata), path).map_err(|error| failed(error.to_string()))
}

/// Read a launch from a file.
pub(super) fn open(path: &Path) -> Result<Kept, ReplayError> {
    let unread = |error| ReplayError::Read { path: path.to_owned(), error };
    let wrong = |reason| ReplayError::File { path: path.to_owned(), reason };
    let bytes = std::fs::metadata(path).map_err(unread)?.len();
    if bytes > LARGEST {
        return Err(wrong(format!("it has {bytes} bytes, and none that was saved has more than {LARGEST}")));
    }
    decode(&std::fs::read(path).map_err(unread)?).map_err(wrong)
}

/// The launch that these bytes of a file describe, or what is wrong with them.
pub(super) fn decode(bytes: &[u8]) -> Result<Kept, String> {
    if let Some(elf) = elf::described(bytes) {
        return Err(elf);
    }
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let metadata = header.metadata().as_ref().filter(|metadata| metadata.contains_key(FORMAT));
    let metadata = metadata.ok_or("it is a safetensors file, but not of a launch")?;
    let version = &metadata[FORMAT];
    if version != VERSION {
        return Err(format!("it has version {version}, and this program reads {VERSION}"));
    }
    let launch = metadata.get(LAUNCH).ok_or("it does not describe a launch")?;
    let mut kept: Kept = serde_json::from_str(launch).map_err(|error| error.to_string())?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    for (number, storage) in kept.storages.iter_mut().enumerate() {
        let most = storage.bytes.max(1).div_ceil(PAGE);
        fill(&mut storage.pages, &tensors, &names(number).0, PAGE as usize, most)?;
        if let Some(pages) = &mut storage.initialised {
            fill(pages, &tensors, &names(number).1, BITS, most)?;
        }
    }
    Ok(kept)
}

/// What the tensors of a storage are called: its pages, and which bytes of it hold a value.
fn names(storage: usize) -> (String, String) {
    (format!("{storage}.pages"), format!("{storage}.initialised"))
}

/// Give the pages of a storage of `most` pages what belongs to them, `each` bytes a page.
fn fill(
    pages: &mut Pages,
    tensors: &SafeTensors<'_>,
    name: &str,
    each: usize,
    most: u64,
) -> Result<(), String> {
    let view = tensors.tensor(name).map_err(|error| error.to_string())?;
    let mut behind = 0;
    for &(first, count) in &pages.runs {
        let end = first.checked_add(count).filter(|&end| first >= behind && end <= most);
        behind = end.ok_or_else(|| format!("the pages of `{name}` are not {most} pages in rising order"))?;
    }
    let count: u64 = pages.runs.iter().map(|&(_, count)| count).sum();
    if view.data().len() as u64 != count * each as u64 {
        return Err(format!("`{name}` does not have {each} bytes for each of {count} pages"));
    }
    pages.data = view.data().to_vec();
    Ok(())
}

#[cfg(test)]
mod tests;
