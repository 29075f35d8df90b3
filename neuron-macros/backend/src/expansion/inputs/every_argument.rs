use neuron_device as nd;

#[nd::custom_op]
fn mixed(
    core: &nd::Q7,
    r#type: nd::Scalar,
    result: &mut nd::Tensor,
    x: &nd::Tensor,
    rows: i32,
    mut alpha: f32,
    _unused: i64,
) -> nd::Result<()> {
    alpha += rows as f32;
    let _ = (core, r#type, x, alpha, result);
    Ok(())
}
