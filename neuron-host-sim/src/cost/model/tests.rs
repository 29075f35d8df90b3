use proptest::prelude::*;

use super::CostModel;
use crate::cost::file::DEFAULT;
use crate::cost::settings::SETTINGS;

#[test]
fn the_table_has_every_setting_once() {
    assert_eq!(SETTINGS.len() * size_of::<f64>(), size_of::<CostModel>());
    let mut model = CostModel::unset();
    for (number, setting) in (1..).zip(SETTINGS) {
        setting.set(&mut model, f64::from(number));
    }
    let numbers: Vec<f64> = SETTINGS.iter().map(|setting| setting.get(&model)).collect();
    assert!(numbers.iter().zip(1..).all(|(&value, number)| value == f64::from(number)), "{numbers:?}");
}

#[test]
fn the_default_is_the_file_and_section_13() {
    let model = CostModel::default();
    assert_eq!(model.to_toml(), DEFAULT);
    let values = |section: &str| -> Vec<f64> {
        let of = SETTINGS.iter().filter(|setting| setting.section == section);
        of.map(|setting| setting.get(&model)).collect()
    };
    assert_eq!(values("core"), [1.4, 25.0]);
    assert_eq!(values("tcm"), [3.0, 64.0, 1.0, 1.0]);
    assert_eq!(values("hbm"), [240.0, 240.0, 410.0]);
    assert_eq!(values("window"), [100.0]);
    assert_eq!(values("dma"), [1300.0, 107.0, 17.0]);
    assert_eq!(values("copy"), [4.0, 128.0]);
    assert_eq!(values("compute"), [0.0, 2.0, 1.0, 2.0, 3.0, 1.0, 512.0, 1.0]);
    assert_eq!(values("launch"), [0.0]);
}

/// The same file with one line changed.
fn refused(from: &str, to: &str) -> String {
    assert!(DEFAULT.contains(from), "{from}");
    CostModel::from_toml(&DEFAULT.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let line = 1 + DEFAULT.lines().position(|line| line == "miss_ns = 100").unwrap();
    let cases = [
        ("miss_us = 100", "there is no setting window.miss_us: did you mean window.miss_ns?"),
        ("miss_ns = \"100\"", "window.miss_ns is \"100\": give a number of ns, without quotes or unit"),
        ("miss_ns = true", "window.miss_ns is true: give a number of ns, without quotes or unit"),
        ("miss_ns = [1, 2]", "window.miss_ns is [1, 2]: give a number of ns, without quotes or unit"),
        ("miss_ns = -1", "window.miss_ns is -1, and must be a number of ns from 0 to 1000000"),
        ("miss_ns = nan", "window.miss_ns is NaN, and must be a number of ns from 0 to 1000000"),
        ("miss_ns = inf", "window.miss_ns is inf, and must be a number of ns from 0 to 1000000"),
        ("miss_ns = 1e7", "window.miss_ns is 10000000, and must be a number of ns from 0 to 1000000"),
        ("miss_ns = -1e300", "window.miss_ns is -1e300, and must be a number of ns from 0 to 1000000"),
    ];
    for (instead, text) in cases {
        assert_eq!(refused("miss_ns = 100", instead), format!("the cost model, line {line}: {text}"));
    }
    for instead in ["miss_ns = 100 ns", "miss_ns =", "miss_ns = 100\nmiss_ns = 100"] {
        let text = refused("miss_ns = 100", instead);
        let place =
            format!("the cost model, line {}: this is no TOML: ", line + instead.matches('\n').count());
        assert!(text.starts_with(&place), "{text}");
    }
    let line = 1 + DEFAULT.lines().position(|line| line == "[hbm]").unwrap();
    let text = "there is no setting [hbn]: did you mean [hbm]?";
    assert_eq!(refused("[hbm]", "[hbn]"), format!("the cost model, line {line}: {text}"));
    let text = "there is no setting miss_ns: did you mean window.miss_ns?";
    assert_eq!(refused("[core]", "miss_ns = 1\n[core]").split_once(": ").unwrap().1, text);
    assert_eq!(
        refused("clock_ghz = 1.4", "clock_ghz = 0").split_once(": ").unwrap().1,
        "core.clock_ghz is 0, and must be a number of GHz from 0.001 to 100000"
    );
}

#[test]
fn what_is_missing_is_named() {
    for setting in SETTINGS {
        let line = DEFAULT.lines().find(|line| line.starts_with(&format!("{} = ", setting.key))).unwrap();
        let text =
            format!("the cost model: {} is missing: copy the line from cost-model.toml", setting.name());
        assert_eq!(refused(line, ""), text);
    }
    let text = CostModel::from_toml("").unwrap_err().to_string();
    assert_eq!(text, "the cost model: core.clock_ghz is missing: copy the line from cost-model.toml");
}

#[test]
fn numbers_as_toml_has_them() {
    let read = |number: &str| {
        CostModel::from_toml(&DEFAULT.replace("read_ns = 240", &format!("read_ns = {number}"))).unwrap()
    };
    for (number, value) in
        [("400", 400.0), ("4e2", 400.0), ("0x10", 16.0), ("1_000.5", 1000.5), ("+0.0", 0.0)]
    {
        assert_eq!(read(number).hbm.read_ns, value, "{number}");
    }
}

proptest! {
    #[test]
    fn written_and_read_again(parts in prop::collection::vec(0.0..=1.0f64, SETTINGS.len())) {
        let mut model = CostModel::unset();
        for (setting, part) in SETTINGS.iter().zip(parts) {
            let (least, most) = (setting.range.start(), setting.range.end());
            setting.set(&mut model, (least + part * (most - least)).min(*most));
        }
        prop_assert_eq!(CostModel::from_toml(&model.to_toml()).unwrap(), model);
    }
}
