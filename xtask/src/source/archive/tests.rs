//! Apt's settings in both formats.

use super::{Archive, from_lines, from_stanzas};

fn archive(address: &str, keyring: Option<&str>) -> Archive {
    Archive { address: address.to_owned(), keyring: keyring.map(str::to_owned) }
}

#[test]
fn the_first_stanza_that_is_no_security_archive_counts() {
    let text = "Types: deb\nURIs: http://archive.test/debian-security\nSuites: stable-security\nComponents: main\n\n\
                Types: deb\n# a note\nURIs: http://archive.test/debian\nSuites: stable stable-updates\n\
                Components: main contrib\nSigned-By: /keys/archive.gpg\n";
    assert_eq!(from_stanzas(text), Some(archive("http://archive.test/debian", Some("/keys/archive.gpg"))));
}

#[test]
fn a_disabled_or_foreign_stanza_does_not_count() {
    let foreign = "Types: deb\nURIs: http://vendor.test/apt\nSuites: stable\nComponents: main\n";
    let disabled = "Enabled: no\nURIs: http://archive.test/debian\nSuites: stable\nComponents: main\n";
    assert_eq!(from_stanzas(foreign), None);
    assert_eq!(from_stanzas(disabled), None);
}

#[test]
fn the_older_format_is_read_with_and_without_options() {
    let plain = "# deb http://no.test/ x main\ndeb http://archive.test/debian stable main\n";
    assert_eq!(from_lines(plain), Some(archive("http://archive.test/debian", None)));
    let signed = "deb [arch=amd64 signed-by=/keys/a.gpg] http://archive.test/debian stable main non-free";
    assert_eq!(from_lines(signed), Some(archive("http://archive.test/debian", Some("/keys/a.gpg"))));
    assert_eq!(from_lines("deb http://vendor.test/linux/debian stable vendor"), None);
    assert_eq!(from_lines("deb http://vendor.test/apt stable main"), None);
}

#[test]
fn the_source_line_keeps_the_keyring() {
    let signed = archive("http://archive.test/debian", Some("/keys/a.gpg"));
    assert_eq!(
        signed.source_line("sid"),
        "deb [signed-by=/keys/a.gpg] http://archive.test/debian sid main\n"
    );
    assert_eq!(archive("http://a.test", None).source_line("sid"), "deb http://a.test sid main\n");
}
