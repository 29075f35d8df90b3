//! `access-bench` as a program: a run of a few points, its files, and what it refuses.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

fn bench(options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_access-bench")).args(options).output().unwrap()
}

/// What a run that must fail says.
#[track_caller]
fn refused(options: &[&str]) -> String {
    let output = bench(options);
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_quick_run_leaves_a_table_json_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made").join("here");
    let output = bench(&["--quick", "--dtype", "i8", "--dtype", "f32", "--out", out.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for dtype in ["f32", "i8"] {
        for clock in ["modelled", "host"] {
            assert!(text.contains(&format!("{dtype}, {clock}: staging ")), "{text}");
            let svg = fs::read_to_string(out.join(format!("{dtype}-{clock}.svg"))).unwrap();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        }
        let svg = fs::read_to_string(out.join(format!("{dtype}-modelled.svg"))).unwrap();
        assert!(svg.contains("modelled, not measured on a device"), "{svg}");
    }
    let json: Value = serde_json::from_str(&fs::read_to_string(out.join("access.json")).unwrap()).unwrap();
    // Of f32 and i8: native and 14 ways at every length and stride.
    let points = json["points"].as_array().unwrap();
    let of = |dtype: &str, way: &str, length: u64, stride: u64| {
        let is = |point: &&Value| {
            point["dtype"] == dtype
                && point["way"] == way
                && point["length"] == length
                && point["stride"] == stride
        };
        points.iter().find(is).unwrap_or_else(|| panic!("no {way} of {length} {dtype} at {stride}"))
    };
    assert!(of("f32", "accessor", 64, 1)["modelled_ns"].as_f64() > Some(60.0));
    assert!(of("f32", "stream, by chunk", 64, 1)["host_ns"].as_f64() > Some(0.0));
    assert!(of("i8", "stream, by chunk", 64, 64)["host_ns"].is_null());
    assert!(of("i8", "native", 16384, 4096)["host_ns"].as_f64() > Some(0.0));
    assert!(of("i8", "native", 16384, 4096)["modelled_ns"].is_null());
    assert_eq!(json["crossovers"].as_array().unwrap().len(), 4);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 5, "a file that nobody promised is left");
}

#[test]
fn bad_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let text = refused(&["--out", out, "--dtype", "f64"]);
    assert!(text.contains("'f64'") && text.contains("f32, bf16, i8"), "{text}");
    let text = refused(&["--out", out, "--cores", "9"]);
    assert!(text.contains("9 is not in 1..=8"), "{text}");
    let text = refused(&["--out", out, "--quick", "--full"]);
    assert!(text.contains("cannot be used with"), "{text}");
    let text = refused(&["--quick", "--out", out, "--model", "no-model.toml"]);
    assert!(text.contains("no-model.toml cannot be read") && text.contains("cost-model.toml"), "{text}");
    // A folder that is a file.
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let text = refused(&["--quick", "--out", file.to_str().unwrap()]);
    assert!(text.contains("give another by --out"), "{text}");
}
