//! What an ELF file is, for those who give one where another file belongs.

/// What is said of a file that begins like `bytes`, if it is one: what it is, and what is to be done with it.
pub(crate) fn described(bytes: &[u8]) -> Option<String> {
    let header = bytes.strip_prefix(b"\x7fELF")?;
    let bits = match header.first() {
        Some(1) => "a 32-bit",
        Some(2) => "a 64-bit",
        _ => "an",
    };
    // `e_machine`, after 16 bytes of identification and 2 of the file's type.
    let machine = header.get(14..16).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let (machine, of_core) = match machine {
        Some(62) => (" for x86-64", false),
        Some(183) => (" for AArch64", false),
        Some(94) => (" for Xtensa", true),
        Some(243) => (" for RISC-V", bits == "a 32-bit"),
        _ => ("", bits == "a 32-bit"),
    };
    let of = if of_core {
        "the code of a core, which no host loads: link the program with the library of ops instead"
    } else {
        "a program or a library: run it, or link with it"
    };
    Some(format!("it is {bits} ELF file{machine}, {of}"))
}

#[cfg(test)]
mod tests {
    use super::described;

    #[test]
    fn n14_a_cores_image_is_told_from_a_hosts_library() {
        let file = |class: u8, machine: u16| {
            let mut bytes = b"\x7fELF".to_vec();
            bytes.resize(18, 0);
            bytes[4] = class;
            bytes.extend(machine.to_le_bytes());
            described(&bytes).unwrap()
        };
        for (machine, name) in [(94, "Xtensa"), (243, "RISC-V")] {
            let text = file(1, machine);
            assert!(
                text.starts_with(&format!("it is a 32-bit ELF file for {name}, the code of a core, ")),
                "{text}"
            );
        }
        assert!(file(2, 62).starts_with("it is a 64-bit ELF file for x86-64, a program or a library"));
        assert!(described(b"\x7fELF").unwrap().starts_with("it is an ELF file, a program"));
        assert_eq!([described(b""), described(b"\x7fEL"), described(b"\x93NUMPY")], [None, None, None]);
    }
}
