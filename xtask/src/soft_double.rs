//! Which functions of a compiled library compute in f64. The core has no f64, so the compiler calls a routine for each
//! operation, and the relocations of an object that is not linked yet say from where.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use object::read::archive::ArchiveFile;
use object::{FileKind, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind};

/// The routines, as compiler-builtins names them: `df` is an f64, `sf` an f32, `hf` an f16, `tf` an f128, `si`, `di` and
/// `ti` are integers of 32, 64 and 128 bits.
const ROUTINES: [&str; 32] = [
    "__adddf3",
    "__divdf3",
    "__eqdf2",
    "__extenddftf2",
    "__extendhfdf2",
    "__extendsfdf2",
    "__fixdfdi",
    "__fixdfsi",
    "__fixdfti",
    "__fixunsdfdi",
    "__fixunsdfsi",
    "__fixunsdfti",
    "__floatdidf",
    "__floatsidf",
    "__floattidf",
    "__floatundidf",
    "__floatunsidf",
    "__floatuntidf",
    "__gedf2",
    "__gtdf2",
    "__ledf2",
    "__ltdf2",
    "__muldf3",
    "__nedf2",
    "__negdf2",
    "__powidf2",
    "__subdf3",
    "__truncdfbf2",
    "__truncdfhf2",
    "__truncdfsf2",
    "__trunctfdf2",
    "__unorddf2",
];

/// The remainder, which is called as C's function is.
const REMAINDER: &str = "fmod";

/// The functions that call a routine, by their paths in the source, each with the routines it calls.
pub(crate) type Callers = BTreeMap<String, BTreeSet<String>>;

/// Looks through a library, or a single object.
pub(crate) fn callers(file: &[u8]) -> Result<Callers> {
    let mut callers = Callers::new();
    if FileKind::parse(file).is_ok_and(|kind| kind == FileKind::Archive) {
        for member in ArchiveFile::parse(file)?.members() {
            let member = member?.data(file)?;
            // A library also holds what the compiler wants to know of it.
            if FileKind::parse(member).is_ok_and(|kind| kind == FileKind::Elf32) {
                of_object(member, &mut callers)?;
            }
        }
    } else {
        of_object(file, &mut callers)?;
    }
    Ok(callers)
}

fn of_object(file: &[u8], callers: &mut Callers) -> Result<()> {
    let object = object::File::parse(file)?;
    for section in object.sections().filter(|section| section.kind() == SectionKind::Text) {
        for (at, relocation) in section.relocations() {
            let RelocationTarget::Symbol(target) = relocation.target() else { continue };
            let target = object.symbol_by_index(target)?.name()?;
            if !ROUTINES.contains(&target) && target != REMAINDER {
                continue;
            }
            let holds = |symbol: &object::Symbol<'_, '_>| {
                symbol.is_definition()
                    && symbol.section_index() == Some(section.index())
                    && (symbol.address()..symbol.address() + symbol.size()).contains(&at)
            };
            let caller = object.symbols().find(holds);
            let name = caller.as_ref().map_or(section.name()?, |caller| caller.name().unwrap_or_default());
            callers.entry(path(name)).or_default().insert(target.to_owned());
        }
    }
    Ok(())
}

/// The path of a function in the source, without what tells copies of it apart.
fn path(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}
