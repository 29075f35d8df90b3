use std::collections::HashMap;
use std::panic::Location;

use neuron_device::HbmAddr;
use proptest::prelude::*;
use serde_json::Value;

use crate::cost::stream::tests::any_stream;
use crate::cost::{CopyMethod, CostModel, Direction, Progress, Stream, Timeline, Transfer, Unit, Work};

fn text(timeline: &Timeline) -> String {
    let mut text = Vec::new();
    timeline.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Core, lane, start and end of every span, in picoseconds.
fn spans(text: &str) -> Vec<(u64, u64, u64, u64)> {
    let trace: Value = serde_json::from_str(text).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let picoseconds = |value: &Value| (value.as_f64().unwrap() * 1e6).round() as u64;
    let spans = events.iter().filter(|event| event["ph"] == "X").map(|event| {
        let start = picoseconds(&event["ts"]);
        let end = start + picoseconds(&event["dur"]);
        (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap(), start, end)
    });
    spans.collect()
}

const SMALL: &str = r#"{"displayTimeUnit":"ns","otherData":{"time":"modelled, not measured"},"traceEvents":[
{"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"core 0"}},
{"ph":"M","name":"process_sort_index","pid":0,"tid":0,"args":{"sort_index":0}},
{"ph":"M","name":"thread_name","pid":0,"tid":0,"args":{"name":"kernel"}},
{"ph":"M","name":"thread_sort_index","pid":0,"tid":0,"args":{"sort_index":0}},
{"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":"DMA queue"}},
{"ph":"M","name":"thread_sort_index","pid":0,"tid":1,"args":{"sort_index":1}},
{"ph":"M","name":"thread_name","pid":0,"tid":2,"args":{"name":"window remaps"}},
{"ph":"M","name":"thread_sort_index","pid":0,"tid":2,"args":{"sort_index":2}},
{"ph":"X","pid":0,"tid":0,"ts":0.000000,"dur":0.580000,"name":"accesses","args":{"loads":2,"stores":0,"misses":1,"fences":0,"tcm_loads":0,"tcm_stores":0}},
{"ph":"X","pid":0,"tid":2,"ts":0.480000,"dur":0.100000,"name":"window 0","args":{"address":"0x100000040","line":"kernel.rs:1:16"}},
{"ph":"X","pid":0,"tid":0,"ts":0.580000,"dur":0.007857,"name":"compute","args":{"unit":"vector ALU","bits":32,"operations":160,"chained":false}},
{"ph":"X","pid":0,"tid":0,"ts":0.587857,"dur":1.533085,"name":"wait for DMA","args":{"line":"kernel.rs:1:16"}},
{"ph":"X","pid":0,"tid":1,"ts":1.880000,"dur":0.240942,"name":"DMA to TCM","args":{"bytes":4096,"descriptors":1,"line":"kernel.rs:1:16","submitted_us":0.580000}},
{"ph":"X","pid":0,"tid":0,"ts":2.120942,"dur":0.047857,"name":"TCM, as assumed","args":{"bytes":4096,"line":"kernel.rs:1:16"}},
{"ph":"X","pid":0,"tid":0,"ts":2.168799,"dur":0.045714,"name":"TCM, as assumed","args":{"bytes":4096,"line":"kernel.rs:1:16"}},
{"ph":"X","pid":0,"tid":0,"ts":2.214513,"dur":7.794286,"name":"VEC_MEMCPY to HBM","args":{"bytes":4096,"descriptors":1,"line":"kernel.rs:1:16"}},
{"ph":"X","pid":0,"tid":0,"ts":10.008799,"dur":0.045715,"name":"TCM, as assumed","args":{"bytes":4096,"line":"kernel.rs:1:16"}},
{"ph":"X","pid":0,"tid":0,"ts":10.054514,"dur":1.540942,"name":"wait for DMA that was left in the queue"},
{"ph":"X","pid":0,"tid":1,"ts":11.354514,"dur":0.240942,"name":"DMA to HBM","args":{"bytes":4096,"descriptors":2,"line":"kernel.rs:1:16","submitted_us":10.054514}}
]}
"#;

#[test]
fn the_text_of_a_small_one() {
    let site = Location::caller();
    let (file, line) = (site.file(), site.line());
    let (mut stream, at) = (Stream::new(), Progress { loads: 2, misses: 1, ..Progress::default() });
    stream.remapped(at, 0, HbmAddr::new(0x1_0000_0040), site);
    let tile = |method, direction| Transfer::new(method, direction, 4096, site);
    let ticket = stream.submitted(at, tile(CopyMethod::Dma, Direction::ToTcm));
    stream.computed(at, Work::independent(Unit::VectorAlu, 32, 160));
    stream.awaited(at, ticket, site);
    stream.copied(at, tile(CopyMethod::VecMemcpy, Direction::ToHbm));
    stream.submitted(at, tile(CopyMethod::Dma, Direction::ToHbm).in_runs_of(2048));
    let (_, timeline) = CostModel::default().timeline(&[stream]).unwrap();
    let text = text(&timeline).replace(&format!("{file}:{line}:"), "kernel.rs:1:");
    assert_eq!(text, SMALL);
    assert_eq!((timeline.len(), timeline.is_empty()), (11, false));
}

proptest! {
    #[test]
    fn in_order_and_nothing_overlaps(
        streams in prop::collection::vec(any_stream(), 0..9),
        share in 1.0..400.0f64,
    ) {
        let mut model = CostModel::default();
        model.hbm.share_gib_per_s = share;
        let (modelled, timeline) = model.timeline(&streams).unwrap();
        prop_assert_eq!(&modelled, &model.replay(&streams).unwrap());
        let spans = spans(&text(&timeline));
        prop_assert_eq!(spans.len(), timeline.len());
        prop_assert!(spans.is_sorted_by_key(|span| span.2));
        let mut ends: HashMap<(u64, u64), u64> = HashMap::new();
        let mut kernel = vec![0; streams.len()];
        for (core, lane, start, end) in spans {
            prop_assert!(start < end, "{start} {end}");
            let last = ends.insert((core, lane), end).unwrap_or_default();
            prop_assert!(last <= start, "core {core}, lane {lane}: {last} {start}");
            if lane == 0 {
                kernel[core as usize] += end - start;
            }
        }
        // The lane of the kernel has no gaps.
        let times: Vec<u64> = modelled.cores().iter().map(|core| core.time.get()).collect();
        prop_assert_eq!(kernel, times);
    }
}
