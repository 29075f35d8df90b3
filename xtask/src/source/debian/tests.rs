//! The choice of a version.

use super::version_of;

#[test]
fn only_the_very_release_is_taken() {
    let offers =
        " rust-src | 1.96.0+dfsg1-1 | sid/main amd64\n rust-src | 1.95.0+dfsg1-1~bpo13+1 | x/main amd64\n";
    assert_eq!(version_of(offers, "1.95.0"), Some("1.95.0+dfsg1-1~bpo13+1"));
    assert_eq!(version_of(offers, "1.95"), None);
    assert_eq!(version_of("", "1.95.0"), None);
}
