use std::sync::OnceLock;

use neuron_device::prelude::*;
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::{HostTensor, Simulator, args};

/// Reads past the end, and memory nobody wrote.
#[custom_op]
fn wrong(q7: &Q7, x: &Tensor, y: &Tensor, factor: f32, out: &mut Tensor) -> Result<()> {
    let (x, y, out) = (x.elements::<f32>(q7)?, y.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| out.set(i, factor * x.get(i + 1) + y.get(i)));
    Ok(())
}

/// A launch of views over two storages, one of them partly written, and of a value.
fn kept() -> &'static Kept {
    static KEPT: OnceLock<Kept> = OnceLock::new();
    KEPT.get_or_init(|| {
        let mut sim = Simulator::builder().cores(2).host_threads(1).scratch(4096).build().unwrap();
        sim.allow(crate::FaultKind::Coverage, "out", "a reason");
        let x = HostTensor::from_slice(&[3000], &vec![1.5f32; 3000]).unwrap();
        let y = sim.empty(Dtype::F32, &[3000]).unwrap();
        y.narrow(0, 2000, 10).unwrap().copy_from(&x.narrow(0, 0, 10).unwrap()).unwrap();
        let (x, y) = (x.slice(0, 0, 3000, 2).unwrap(), y.narrow(0, 1000, 1500).unwrap());
        let report = sim.launch(op!(wrong), &args![&x, &y, 2.0f32]).unwrap();
        (*report.to_replay().unwrap().0).clone()
    })
}

/// The bytes of its file.
fn bytes() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("neuron-replay-{}.safetensors", std::process::id()));
        save(kept(), &path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        bytes
    })
}

/// Read it, and put everything where it was: an error, or all of it.
fn opened(bytes: &[u8]) -> Result<(), String> {
    decode(bytes)?.restore().map(drop).map_err(|error| error.to_string())
}

#[test]
fn what_is_saved_comes_back() {
    assert_eq!(decode(bytes()).as_ref(), Ok(kept()));
    let pages: Vec<_> = kept().storages.iter().map(|storage| storage.pages.numbers().count()).collect();
    assert_eq!(pages, [3, 1, 0], "`x` is full, a page of `y` was written, and nothing of `out`");
    assert_eq!(opened(bytes()), Ok(()));
}

#[test]
fn what_is_wrong_is_said() {
    let replaced = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = bytes().windows(from.len()).position(|window| window == from.as_bytes());
        let at = at.unwrap_or_else(|| panic!("{from} is not in the header"));
        let mut changed = bytes().to_vec();
        changed[at..at + to.len()].copy_from_slice(to.as_bytes());
        opened(&changed).unwrap_err()
    };
    let said = [
        replaced("\"neuron_replay\":\"1\"", "\"neuron_replay\":\"7\""),
        replaced("neuron_replay", "neuron_others"),
        replaced("\\\"dtype\\\":\\\"f32\\\"", "\\\"dtype\\\":\\\"f33\\\""),
        replaced("\\\"storage\\\":0", "\\\"storage\\\":9"),
        replaced("\\\"cores\\\":2", "\\\"cores\\\":9"),
        replaced("\\\"sizes\\\":[1500]", "\\\"sizes\\\":[9500]"),
        replaced("\\\"runs\\\":[[0,3]]", "\\\"runs\\\":[[1,3]]"),
        replaced("\\\"runs\\\":[[0,3]]", "\\\"runs\\\":[[0,2]]"),
        replaced("\\\"kind\\\":\\\"coverage", "\\\"kind\\\":\\\"overage!"),
        replaced("\\\"bytes\\\":[0,0,0,64]", "\\\"bytes\\\":[0,0,0   ]"),
    ];
    let expected = [
        "it has version 7, and this program reads 1",
        "it is a safetensors file, but not of a launch",
        "the launch saved cannot be: there is no dtype `f33`",
        "the launch saved cannot be: there is no storage 9",
        "9 cores: the machine has 8, and a what-if run takes 1 to 8",
        "the launch saved cannot be: a tensor reaches 18999 elements into a storage of 3000",
        "the pages of `0.pages` are not 3 pages in rising order",
        "`0.pages` does not have 4096 bytes for each of 2 pages",
        "the launch saved cannot be: there is no kind of fault `overage!`",
        "the launch saved cannot be: 3 bytes are no value of type f32",
    ];
    assert_eq!(said, expected);
}

proptest! {
    /// Whatever is changed, left out or put in: it is an error, or a launch.
    #[test]
    fn no_file_panics(
        changes in prop::collection::vec((any::<Index>(), any::<u8>(), 0u8..3), 1..6),
        in_header in any::<bool>(),
    ) {
        let mut bytes = bytes().to_vec();
        let header = 8 + u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
        for (at, byte, way) in changes {
            let at = at.index(if in_header { header.min(bytes.len()) } else { bytes.len() });
            match way {
                0 => bytes[at] = byte,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, byte),
            }
        }
        let _ = opened(&bytes);
    }

    /// A header that is right as JSON, with other numbers.
    #[test]
    fn no_number_panics(which in any::<Index>(), number in prop_oneof![any::<u64>(), 0u64..10_000]) {
        let mut launch = serde_json::to_value(kept()).unwrap();
        let mut numbers = Vec::new();
        collect(&mut launch, &mut numbers);
        let at = which.index(numbers.len());
        *numbers.swap_remove(at) = number.into();
        if let Ok(mut changed) = serde_json::from_value::<Kept>(launch) {
            for (storage, old) in changed.storages.iter_mut().zip(&kept().storages) {
                storage.pages.data.clone_from(&old.pages.data);
                if let (Some(pages), Some(old)) = (&mut storage.initialised, &old.initialised) {
                    pages.data.clone_from(&old.data);
                }
            }
            let path = std::env::temp_dir().join(format!("neuron-numbers-{}.safetensors", std::process::id()));
            save(&changed, &path).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            let _ = opened(&bytes);
        }
    }
}

/// Every number in it.
fn collect<'v>(value: &'v mut serde_json::Value, numbers: &mut Vec<&'v mut serde_json::Value>) {
    match value {
        serde_json::Value::Number(_) => numbers.push(value),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| collect(item, numbers)),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(|field| collect(field, numbers)),
        _ => {}
    }
}
