use core::ptr::NonNull;

use super::Dataram;
use crate::words::addr::{Band, NxAddr};

#[repr(align(64))]
struct Memory([u8; 256]);

#[test]
fn only_whole_pieces_of_it_have_an_address() {
    let mut memory = Memory([0; 256]);
    let native = NonNull::from(&mut memory.0).cast::<u8>();
    // SAFETY: `memory` outlives the value, and nothing else uses it.
    let dataram = unsafe { Dataram::new(native, 256) };
    let at = |offset: u32| NxAddr::new(Dataram::BASE.get() + offset);
    let table = [
        (at(0), 256, true),
        (at(0), 257, false),
        (at(255), 1, true),
        (at(255), 2, false),
        (at(256), 0, true),
        (at(256), 1, false),
        (NxAddr::new(Dataram::BASE.get() - 1), 1, false),
        (NxAddr::new(0), 1, false),
        (NxAddr::new(u32::MAX), 1, false),
    ];
    for (local, bytes, inside) in table {
        assert_eq!(dataram.native(local, bytes).is_some(), inside, "{bytes} bytes at {local}");
        let native = native.as_ptr().wrapping_add((local.get().wrapping_sub(Dataram::BASE.get())) as usize);
        assert_eq!(dataram.local(native, bytes), inside.then_some(local), "{bytes} bytes at {local}");
    }
}

#[test]
fn no_two_cores_share_an_alias() {
    for core in 0..8 {
        for offset in [0, 1, 0x4000, 0xFFFF] {
            let local = NxAddr::new(Dataram::BASE.get() + offset);
            assert_eq!(local.band(), Band::Dataram);
            let alias = Dataram::alias(core, local);
            for other in 0..8 {
                assert_eq!(Dataram::aliased(other, alias), (other == core).then_some(local));
            }
        }
    }
}
