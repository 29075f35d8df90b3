//! `vendor-table [SETTINGS.toml]`: the vendor's published ReLU table by the cost model, errors included.

use anyhow::Result;
use neuron_host_sim::cost::CostModel;
use neuron_tests::vendor_table::VendorTable;

fn main() -> Result<()> {
    let model = match std::env::args_os().nth(1) {
        Some(path) => CostModel::from_file(path)?,
        None => CostModel::default(),
    };
    let table = VendorTable::launched()?;
    println!("{}", table.fit(&model)?);
    let mut posted = model;
    (posted.hbm.read_ns, posted.hbm.write_ns) = (400.0, 0.0);
    println!("The alternative, writes that cost nothing:\n{}", table.fit(&posted)?);
    Ok(())
}
