//! Where HBM and SBUF are: among 64-bit addresses, and in the file that both are made of.

use neuron_device::{HbmAddr, NxAddr, SBUF_BYTES, SBUF_WINDOW};

/// Where HBM begins: above 4 GiB, so that an address cut to 32 bits is never right by luck, and on a 64 MiB boundary.
pub(crate) const BASE: u64 = 0x10_0000_0000;
/// What is reserved for HBM if the host allows it. Nothing is used until it is touched.
pub(crate) const RESERVATION: u64 = 16 << 30;
/// Where SBUF begins: behind HBM, however much the host allows, with nothing in between; on a 64 MiB boundary, as its pinned
/// window shows it.
pub(crate) const SBUF: u64 = BASE + RESERVATION + (64 << 20);

/// Is this byte in SBUF?
pub(crate) fn is_in_sbuf(addr: HbmAddr) -> bool {
    addr.get().wrapping_sub(SBUF) < SBUF_BYTES
}

/// The byte of SBUF that its pinned window shows at this local address.
pub(crate) fn shown_in_sbuf(local: NxAddr) -> HbmAddr {
    HbmAddr::new(SBUF + u64::from(local.get().wrapping_sub(SBUF_WINDOW.get())))
}

/// The local address at which the pinned window shows this byte of SBUF.
pub(crate) fn local_in_sbuf(addr: HbmAddr) -> NxAddr {
    NxAddr::new(SBUF_WINDOW.get() + addr.get().wrapping_sub(SBUF) as u32)
}

/// Bytes of a file with so much HBM, and SBUF behind it.
pub(super) const fn file_bytes(hbm: u64) -> u64 {
    hbm + SBUF_BYTES
}

/// Where in a mapping of that file, `len` bytes long, `bytes` bytes at `addr` are; `None` if not all of them are in HBM, or
/// all of them in SBUF.
pub(super) fn offset(len: usize, addr: u64, bytes: u64) -> Option<usize> {
    let hbm = len as u64 - SBUF_BYTES;
    let (part, start, most) = if addr < SBUF { (BASE, 0, hbm) } else { (SBUF, hbm, SBUF_BYTES) };
    let at = addr.checked_sub(part)?;
    let inside = at.checked_add(bytes)? <= most;
    inside.then_some((start + at) as usize)
}

#[test]
fn hbm_and_sbuf_are_apart() {
    let hbm = 1 << 30;
    let len = file_bytes(hbm) as usize;
    for (addr, bytes, expected) in [
        (BASE, 16, Some(0)),
        (BASE - 1, 16, None),
        (BASE + hbm - 16, 16, Some(hbm as usize - 16)),
        (BASE + hbm - 16, 17, None),
        (BASE + hbm, 1, None),
        (SBUF - 1, 2, None),
        (SBUF, SBUF_BYTES, Some(hbm as usize)),
        (SBUF + 8, SBUF_BYTES, None),
        (SBUF + SBUF_BYTES, 1, None),
        (u64::MAX, 1, None),
        (0, 1, None),
    ] {
        assert_eq!(offset(len, addr, bytes), expected, "{addr:#x}, {bytes}");
    }
    let third = HbmAddr::new(SBUF + 3);
    assert_eq!(
        (local_in_sbuf(third), shown_in_sbuf(NxAddr::new(0x8000_0003))),
        (NxAddr::new(0x8000_0003), third)
    );
    assert!(
        is_in_sbuf(third) && !is_in_sbuf(HbmAddr::new(SBUF + SBUF_BYTES)) && !is_in_sbuf(HbmAddr::new(BASE))
    );
}
