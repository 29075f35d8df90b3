use super::{WhatIf, line_at};

#[test]
fn sizes_no_machine_has_are_refused_with_those_it_may_have() {
    let nothing = WhatIf::default();
    let granule = |bytes| WhatIf { dma_granule: Some(bytes), ..nothing };
    let cache = |bytes| WhatIf { tcm_write_back: Some(bytes), ..nothing };
    let line = |bytes| WhatIf { line_write_back: Some(bytes), ..nothing };
    for (odd, text) in [
        (granule(0), "a DMA granule of 0 bytes: give a power of two from 1 to 64"),
        (granule(128), "a DMA granule of 128 bytes: give a power of two from 1 to 64"),
        (cache(8), "a line of TCM's cache of 8 bytes: give a power of two from 16 to 64"),
        (cache(48), "a line of TCM's cache of 48 bytes: give a power of two from 16 to 64"),
        (line(32), "a line of 32 bytes: give a power of two from 64 to 4096"),
    ] {
        assert_eq!(odd.checked().unwrap_err().to_string(), text);
    }
    for good in [nothing, granule(1), granule(64), cache(16), cache(64), line(64), line(4096)] {
        assert_eq!(good.checked().unwrap(), good);
    }
}

#[test]
fn each_setting_is_said() {
    assert_eq!(WhatIf::default().words().count(), 0);
    let all = WhatIf {
        dma_granule: Some(64),
        done_before_visible: true,
        tcm_write_back: Some(32),
        line_write_back: Some(128),
    };
    let said: Vec<String> = all.words().collect();
    let words = ["granules of 64", "done before", "lines of 32", "whole lines of 128"];
    assert!(said.len() == 4 && said.iter().zip(words).all(|(said, word)| said.contains(word)), "{said:?}");
}

#[test]
fn a_line_begins_at_a_multiple_of_its_bytes() {
    assert_eq!([0, 63, 64, 0x8_0028].map(|at| line_at(at, 64).start), [0, 0, 64, 0x8_0000]);
    assert_eq!(line_at(0x8_0028, 32), 0x8_0020..0x8_0040);
}
