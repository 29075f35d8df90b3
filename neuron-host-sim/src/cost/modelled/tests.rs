use std::panic::Location;

use crate::cost::{CopyMethod, CostModel, Direction, Progress, Stream, Transfer, Unit, Work};

#[test]
fn every_column() {
    let stream = |bytes| {
        let mut stream = Stream::new();
        let at = Progress { loads: 10, stores: 5, misses: 2, fences: 1, ..Progress::default() };
        let tile = |method, direction| Transfer::new(method, direction, bytes, Location::caller());
        stream.copied(at, tile(CopyMethod::Dma, Direction::ToTcm));
        stream.copied(at, tile(CopyMethod::VecMemcpy, Direction::ToHbm));
        stream.computed(at, Work::chain(Unit::VectorFma, 32, 1600));
        stream
    };
    let mut model = CostModel::default();
    model.launch.overhead_ns = 1e6;
    model.hbm.share_gib_per_s = 20.0;
    let modelled = model.replay(&[stream(4096), stream(65536), stream(0)]).unwrap();
    let text = "\
modelled, not measured: 1.135 ms, of which 1.000 ms around the op, 135.579 µs, of core 1, the slowest
 core        time  accesses      misses     fences        TCM  core copies     compute  DMA wait  DMA copies  descriptors  DMA bytes    DMA busy  by sharing
    0   13.680 µs  3.600 µs  200.000 ns  25.000 ns  93.571 ns     7.794 µs  285.714 ns  1.681 µs           1            1       4096  381.470 ns  140.528 ns
    1  135.579 µs  3.600 µs  200.000 ns  25.000 ns   1.465 µs   124.708 µs  285.714 ns  5.295 µs           1            1      65536    3.995 µs  140.529 ns
    2    5.410 µs  3.600 µs  200.000 ns  25.000 ns                          285.714 ns  1.300 µs           1
";
    assert_eq!(modelled.to_string(), text);
    let json = modelled.to_json();
    assert_eq!((&json["overhead_ps"], &json["slowest_core"]), (&1_000_000_000.into(), &1.into()));
    assert_eq!(json["modelled_ps"], modelled.time().get());
    assert_eq!(json["cores"][0]["dma"]["bytes"], 4096);
    assert_eq!(json["settings"]["dma"]["call_ns"], 1300.0);
}

#[test]
fn of_no_core_and_of_equal_ones() {
    let model = CostModel::default();
    let none = model.replay(&[]).unwrap();
    assert_eq!((none.to_string().as_str(), none.slowest()), ("modelled, not measured: no core\n", None));
    assert_eq!(none.time().get(), 0);
    let equal = model.replay(&[Stream::new(), Stream::new()]).unwrap();
    assert_eq!(equal.slowest().unwrap().core, 0);
}
