use crate::cost::{CostModel, FitError, Measured, Progress, Stream, fit};

fn reads(loads: u64) -> [Vec<Stream>; 1] {
    let mut stream = Stream::new();
    stream.ended(Progress { loads, ..Progress::default() });
    [vec![stream]]
}

fn measured<'s>(name: &'s str, launches: &'s [Vec<Stream>], ns: f64) -> Measured<'s> {
    Measured { name, launches, per_second: 1e9 / ns }
}

#[test]
fn reads_and_writes_keep_their_proportion() {
    let mut model = CostModel::default();
    (model.hbm.read_ns, model.hbm.write_ns) = (200.0, 100.0);
    let mut stream = Stream::new();
    stream.ended(Progress { loads: 1000, stores: 1000, ..Progress::default() });
    let (many, few) = ([vec![stream]], reads(1));
    let fitted = fit(&model, &measured("many", &many, 660_360.0), &measured("few", &few, 800.0)).unwrap();
    assert!((fitted.hbm.read_ns - 440.0).abs() < 0.01 && (fitted.hbm.write_ns - 220.0).abs() < 0.01);
    assert!((fitted.launch.overhead_ns - 360.0).abs() < 0.1, "{}", fitted.launch.overhead_ns);
    (model.hbm, model.launch) = (fitted.hbm, fitted.launch);
    assert_eq!(fitted, model);
}

#[test]
fn an_iteration_of_two_launches_has_one_overhead() {
    let mut model = CostModel::default();
    model.launch.overhead_ns = 1000.0;
    let twice = [reads(10), reads(20)].concat();
    let judged = measured("twice", &twice, 8200.0).judge(&model).unwrap();
    assert!(judged.error().abs() < 1e-9, "{judged:?}");
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let (many, few, model) = (reads(1000), reads(1), CostModel::default());
    let error = |first, second| {
        fit(&model, &measured("many", &many, first), &measured("few", &few, second)).unwrap_err()
    };
    // The one with more accesses is the faster one; or slower than any access explains; or was not measured.
    for (first, second) in [(1e3, 2e3), (1e12, 1.0), (f64::INFINITY, 1.0), (f64::NAN, 1.0)] {
        assert!(matches!(error(first, second), FitError::Access { .. }), "{first} {second}");
    }
    let text = "no time of an element access makes `many` take -1000 ns more than `few`: give a first launch with \
        many more accesses, and one that was measured slower";
    assert_eq!(error(1e3, 2e3).to_string(), text);
    assert!(matches!(error(1e8, 1e3), FitError::Overhead { .. }));
    let mut wrong = model;
    wrong.dma.bytes_per_ns = 0.0;
    let of = |ns| measured("many", &many, ns);
    assert!(matches!(fit(&wrong, &of(2.0), &of(1.0)), Err(FitError::Model(_))));
}
