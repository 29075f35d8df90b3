use std::string::ToString;
use std::vec::Vec;

use super::{Bench, Clock, Crossover, Grid, Kind, Outcome, Place, Way, picture};
use neuron_host_sim::cost::CostModel;

#[test]
fn grids_hold_what_they_promise() {
    for (grid, most) in [(Grid::usual(), 256 << 20), (Grid::full(), 4 << 30), (Grid::quick(), 256 << 20)] {
        for kind in Kind::ALL {
            let size = kind.dtype().size();
            let places = grid.places(size);
            let reach = |place: &Place| u64::from(place.length) * u64::from(place.stride);
            assert!(places.iter().all(|place| reach(place) <= 1 << 30 && reach(place) * size <= most));
            // Every length at stride 1, every stride at one length.
            let longest = grid.at_every_stride();
            assert!(grid.lengths().iter().all(|&length| places.contains(&Place { length, stride: 1 })));
            assert!(grid.strides().iter().all(|&stride| places.contains(&Place { length: longest, stride })));
        }
    }
    let full = Grid::full();
    assert_eq!((full.lengths()[0], full.lengths().last().copied()), (64, Some(16 << 20)));
    assert_eq!((full.strides()[0], full.strides().last().copied()), (1, Some(4096)));
    assert!(full.places(4).contains(&Place { length: 16 << 20, stride: 64 }));
}

#[test]
fn streams_and_contiguous_tiles_refuse_strides() {
    let mut bench = Bench::new(2, &CostModel::default(), true).unwrap();
    let mut points = Vec::new();
    bench.place(Kind::Bf16, Place { length: 100, stride: 3 }, |point| points.push(point)).unwrap();
    for point in points {
        let takes = point.way.is_none_or(Way::takes_strides);
        assert_eq!(point.host_ns.is_some(), takes, "{point:?}");
        assert_eq!(point.modelled_ns.is_some(), takes && point.way.is_some(), "{point:?}");
    }
    // And that is what the kernels say.
    let place = Place { length: 100, stride: 3 };
    for way in Way::all() {
        assert_eq!(bench.modelled(Kind::Bf16, way, place).is_ok(), way.takes_strides(), "{way:?}");
    }
}

#[test]
fn modelled_times_are_the_same_every_time_and_the_crossover_is_exact() {
    let mut bench = Bench::new(8, &CostModel::default(), true).unwrap();
    let mut time = |way, length| bench.modelled(Kind::F32, way, Place { length, stride: 1 }).unwrap();
    let best = |time: &mut dyn FnMut(Way, u32) -> _, stages: bool, length| {
        Way::all().into_iter().filter(|way| way.stages() == stages).map(|way| time(way, length)).min()
    };
    assert_eq!(time(Way::Tiles(4096), 5000), time(Way::Tiles(4096), 5000));
    let wins: Vec<bool> =
        (1..=128).map(|length| best(&mut time, true, length) < best(&mut time, false, length)).collect();
    let from = 1 + wins.iter().rposition(|wins| !wins).unwrap() as u32 + 1;
    let found = Crossover::of_model(&mut bench, Kind::F32, 128).unwrap();
    assert_eq!(found.from, Some(from));
    assert_eq!(found.text(), std::format!("modelled: staging wins from {from} elements on"));
    let short = Crossover::of_model(&mut bench, Kind::F32, from - 1).unwrap();
    assert_eq!(short.text(), std::format!("modelled: staging does not win at up to {} elements", from - 1));
}

#[test]
fn an_outcome_says_what_was_modelled_and_what_measured() {
    let grid = Grid::quick();
    let mut bench = Bench::new(8, &CostModel::default(), true).unwrap();
    let mut points = Vec::new();
    for place in grid.places(4) {
        bench.place(Kind::F32, place, |point| points.push(point)).unwrap();
    }
    let model = CostModel::default();
    let mut outcome = Outcome { grid, cores: 8, model, points, crossovers: Vec::new() };
    outcome.crossovers.push(Crossover::of_host(&outcome, Kind::F32));
    let text = outcome.to_string();
    assert!(text.contains("\nf32, modelled, not measured on a device\n"), "{text}");
    assert!(text.contains("\nf32, host, one thread, nothing checked; "), "{text}");
    assert!(text.contains(" 16384 / 4096\n  accessor "), "{text}");
    assert!(text.contains("f32, host: staging "), "{text}");
    for clock in Clock::ALL {
        let svg = picture(&outcome, Kind::F32, clock).unwrap();
        let said = if clock == Clock::Modelled { "modelled, not measured on a device" } else { "host time" };
        assert!(svg.starts_with("<svg") && svg.contains(said) && svg.contains("accessor"), "{svg}");
        assert_eq!(svg.contains("native"), clock == Clock::Host);
    }
    // What is modelled is the same in every run, and so is its picture.
    let json = outcome.to_json();
    let point = json["points"].as_array().unwrap().iter().find(|point| point["way"] == "TCM tiles, 4 KiB");
    assert!(point.unwrap()["modelled_ns"].is_f64() && point.unwrap()["host_to_native"].is_f64());
}
