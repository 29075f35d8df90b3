//! The accessor loops whose instructions are counted: `accessor-loops --list`, or `accessor-loops LOOP ELEMENTS` to run
//! one on one core over flat memory.
//!
//! All memory is zero from the operating system, so that making it costs no instruction an element.

use anyhow::{Context, Result, anyhow, bail, ensure};
use neuron_device::{
    ArgDescriptor, ArgRecord, Dtype, FlatPlatform, HbmAddr, Layout, Op, Q7, ViewExtension, op,
};
use neuron_tests::kernels::{dtypes, ranks};
use neuron_tests::watched::Watched;

/// Columns of the loops over two dimensions.
const COLUMNS: u32 = 100;

/// One loop.
struct Loop {
    name: &'static str,
    op: &'static Op,
    dtype: Dtype,
    /// The input's layout over so many elements.
    layout: fn(u32) -> Result<Layout, neuron_device::LayoutError>,
    /// The output's sizes.
    output: fn(u32) -> Vec<u32>,
    /// Is the core watched by an observer that wants runs?
    observed: bool,
}

/// Every loop; the names stand in the file of recorded counts.
fn loops() -> [Loop; 7] {
    let relu = Loop {
        name: "relu-elements",
        op: op!(neuron_examples::relu::relu),
        dtype: Dtype::F32,
        layout: |elements| Layout::contiguous(&[elements]),
        output: |elements| vec![elements],
        observed: false,
    };
    [
        Loop { ..relu },
        Loop { name: "relu-elements-observed", observed: true, ..relu },
        Loop { name: "relu-elements-bf16", dtype: Dtype::BF16, ..relu },
        Loop { name: "relu-accessor", op: op!(ranks::relu_ranked), ..relu },
        Loop {
            name: "relu-elements-transposed",
            layout: |elements| Layout::contiguous(&[elements / COLUMNS, COLUMNS])?.transpose(0, 1),
            output: |elements| vec![COLUMNS, elements / COLUMNS],
            ..relu
        },
        Loop {
            name: "row-sum-accessor",
            op: op!(ranks::row_sum),
            layout: |elements| Layout::contiguous(&[elements / COLUMNS, COLUMNS]),
            output: |elements| vec![elements / COLUMNS],
            ..relu
        },
        Loop { name: "copy-elements-i32", op: op!(dtypes::copy), dtype: Dtype::I32, ..relu },
    ]
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--list"] => {
            loops().iter().for_each(|each| println!("{}", each.name));
            Ok(())
        }
        [name, elements] => {
            let elements = elements.parse().context("the number of elements is no number")?;
            let chosen = loops().into_iter().find(|each| each.name == name);
            run(&chosen.with_context(|| format!("no loop is called {name}; `--list` names them"))?, elements)
        }
        _ => bail!("usage: accessor-loops --list | accessor-loops LOOP ELEMENTS"),
    }
}

fn run(chosen: &Loop, elements: u32) -> Result<()> {
    ensure!(elements > 0 && elements.is_multiple_of(COLUMNS), "give a multiple of {COLUMNS} elements");
    let words = (u64::from(elements) * chosen.dtype.size()).div_ceil(8);
    // Input and output, a page apart.
    let to = words.next_multiple_of(512);
    let mut memory = vec![0; 2 * usize::try_from(to)?];
    let describe = |word: u64, layout: Layout| -> Result<ArgDescriptor> {
        let at = HbmAddr::new(FlatPlatform::BASE.get() + 8 * word);
        let record = ArgRecord::new(at, chosen.dtype, &layout)?;
        Ok(ArgDescriptor { record, view: Some(ViewExtension::new(&layout, elements.into())) })
    };
    let input = describe(0, (chosen.layout)(elements)?)?;
    let output = describe(to, Layout::contiguous(&(chosen.output)(elements))?)?;
    let flat = FlatPlatform::new(0, 1, &mut memory).with_argument(input).with_destination(output);
    let mut platform = Watched::new(flat, chosen.observed);
    let result = Q7::enter(&mut platform, |q7| chosen.op.launch(q7));
    result.map_err(|error| anyhow!("{error}"))?;
    // A loop that did not run has a fine count too.
    let loads = platform.watch().counters.loads;
    ensure!(loads == u64::from(elements), "{loads} loads instead of {elements}");
    Ok(())
}
