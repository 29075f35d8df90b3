use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn a_line() {
    let told = Told::parse("7\t2\t12\taddress,values\tbounds,coverage\trelu [7]").unwrap();
    let words = |words: [&str; 2]| words.map(str::to_owned).to_vec();
    let expected = Told {
        site: 7,
        operator: 2,
        launches: 12,
        changed: words(["address", "values"]),
        reported: words(["bounds", "coverage"]),
        launch: "relu [7]".to_owned(),
    };
    assert_eq!(told, expected);
    assert_eq!(Told::parse("7\t2\t0\t\t\t").unwrap().reported, [""; 0]);
}

#[test]
fn lines_that_are_none() {
    assert_eq!(Told::parse("7\t2").unwrap_err().to_string(), "`7\t2` has 2 fields instead of 6");
    let error = Told::parse("x\t2\t0\t\t\t").unwrap_err().to_string();
    assert_eq!(error, "`x` in `x\t2\t0\t\t\t` is no number");
}

/// A program of the shell in `folder`, and a place for its mutants.
fn program(folder: &Path, script: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let program = folder.join("program");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program, folder.join("mutants"))
}

#[test]
fn a_program_that_ends_is_started_again_behind_its_mutant() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        while read site operator; do
            [ $site = 2 ] && exit 3
            printf '%s\t%s\t1\t\t\t%s\n' $site $operator "$2"
        done < "$1""#;
    let (program, file) = program(folder.path(), script);
    let told = run(&program, &file, &[(1, 1), (2, 4), (3, 1)], Some("relu")).unwrap();
    let words: Vec<_> = told.iter().map(|told| (told.site, told.operator, told.reported.join(","))).collect();
    assert_eq!(words, [(1, 1, "".into()), (2, 4, "crash".into()), (3, 1, "".into())]);
    assert_eq!(told[0].launch, "relu");
}

#[test]
fn a_program_that_tells_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (program, file) = program(folder.path(), "exit 1");
    let error = run(&program, &file, &[(1, 1)], None).unwrap_err().to_string();
    assert!(error.ends_with("told of no mutant: crash"), "{error}");
}
