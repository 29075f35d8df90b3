//! The outcome as a picture, by one clock: against length, and against stride.

use std::format;
use std::string::String;
use std::vec::Vec;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

use super::crossover::Clock;
use super::grid::Place;
use super::measure::Kind;
use super::result::Outcome;
use super::table::SHOWN;
use super::way::Way;

/// Pixels: of a panel, of the key beside the two, and of the height.
const PANEL: i32 = 470;
const KEY: i32 = 240;
const HEIGHT: i32 = 500;
const TITLE: i32 = 70;

/// For each way that is [`SHOWN`]: a colour that can be told from the others with any eyes, and whether dashed, where
/// two may lie on each other.
const STYLES: [(RGBColor, bool); 9] = [
    (RGBColor(213, 94, 0), false),
    (RGBColor(0, 0, 0), true),
    (RGBColor(86, 180, 233), false),
    (RGBColor(0, 114, 178), true),
    (RGBColor(204, 121, 167), false),
    (RGBColor(150, 90, 200), false),
    (RGBColor(0, 158, 115), false),
    (RGBColor(120, 180, 20), false),
    (RGBColor(230, 159, 0), true),
];

/// Plain Rust, where it is measured.
const NATIVE: RGBColor = RGBColor(130, 130, 130);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A line of the picture: its points by length or stride.
type Line = (String, RGBColor, bool, Vec<(f64, f64)>);

/// An SVG of one dtype by one clock, on an opaque ground.
///
/// # Errors
/// What the plotting crate says.
pub fn picture(outcome: &Outcome, kind: Kind, clock: Clock) -> Result<String> {
    let mut svg = String::new();
    draw(outcome, kind, clock, &mut svg).map_err(|error| anyhow!("the picture cannot be drawn: {error}"))?;
    Ok(svg)
}

fn draw(outcome: &Outcome, kind: Kind, clock: Clock, svg: &mut String) -> Result<(), anyhow::Error> {
    let size = ((2 * PANEL + KEY) as u32, (TITLE + HEIGHT) as u32);
    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    let (dtype, cores) = (kind.dtype().name(), outcome.cores);
    let (title, below) = match clock {
        Clock::Modelled => (
            format!("Relu of {dtype}, {cores} cores: modelled device time"),
            "modelled, not measured on a device; neuron-host-sim/cost-model.toml has the settings",
        ),
        Clock::Host => (
            format!("Relu of {dtype}, {cores} simulated cores: host time"),
            "measured on the host that simulates: one thread, nothing checked; says nothing about a device",
        ),
    };
    root.draw(&Text::new(title, (16, 12), ("sans-serif", 28).into_font()))?;
    root.draw(&Text::new(below, (16, 44), ("sans-serif", 20).into_font().color(&RGBColor(80, 80, 80))))?;
    let (_, root) = root.split_vertically(TITLE);
    let (by_length, rest) = root.split_horizontally(PANEL);
    let (by_stride, key) = rest.split_horizontally(PANEL);

    let length = outcome.grid.at_every_stride();
    let at_stride_1 = |&length: &u32| (length, Place { length, stride: 1 });
    let at_length = |&stride: &u32| (stride, Place { length, stride });
    let lengths = lines(outcome, kind, clock, outcome.grid.lengths().iter().map(at_stride_1).collect());
    let strides = lines(outcome, kind, clock, outcome.grid.strides().iter().map(at_length).collect());
    let all = || lengths.iter().chain(&strides).flat_map(|line| &line.3).map(|point| point.1);
    let low = 10f64.powf(all().fold(f64::INFINITY, f64::min).log10().floor());
    let high = 10f64.powf(all().fold(0.0, f64::max).log10().ceil());
    let times = low..high.max(10.0 * low);
    panel(&by_length, "by length, at stride 1", "elements", &lengths, times.clone())?;
    panel(
        &by_stride,
        &format!("by stride, {} elements", power(length.into())),
        "stride in elements",
        &strides,
        times,
    )?;
    legend(&key, &lengths)?;
    root.present()?;
    Ok(())
}

fn lines(outcome: &Outcome, kind: Kind, clock: Clock, places: Vec<(u32, Place)>) -> Vec<Line> {
    let line = |way: Option<Way>, (colour, dashed): (RGBColor, bool)| {
        let points = places.iter().filter_map(|(x, place)| {
            let ns = outcome.point(kind, way, *place)?.ns(clock)?;
            Some((f64::from(*x), ns))
        });
        (way.map_or_else(|| "native".into(), Way::name), colour, dashed, points.collect())
    };
    let native = (clock == Clock::Host).then(|| line(None, (NATIVE, false)));
    SHOWN.into_iter().zip(STYLES).map(|(way, style)| line(Some(way), style)).chain(native).collect()
}

fn panel(
    area: &Area<'_>,
    title: &str,
    below: &str,
    lines: &[Line],
    times: std::ops::Range<f64>,
) -> Result<(), anyhow::Error> {
    let xs = || lines.iter().flat_map(|line| &line.3).map(|point| point.0);
    let (first, last) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
    // As many as there is room for.
    let ticks = if last / first > 1e5 { 16.0 } else { 4.0 };
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 22))
        .margin(10)
        .margin_right(24)
        .x_label_area_size(54)
        .y_label_area_size(74)
        .build_cartesian_2d((first..last.max(2.0 * first)).log_scale().base(ticks), times.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(below)
        .y_desc("ns an element")
        .x_label_formatter(&|x| power(*x))
        .y_label_formatter(&|ns| format!("{ns}"))
        .label_style(("sans-serif", 18))
        .axis_desc_style(("sans-serif", 20))
        .max_light_lines(0)
        .bold_line_style(RGBColor(220, 220, 220))
        .draw()?;
    for (_, colour, dashed, points) in lines {
        let style = colour.stroke_width(2);
        if *dashed {
            chart.draw_series(DashedLineSeries::new(points.iter().copied(), 7, 6, style))?;
        } else {
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
        }
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
    }
    Ok(())
}

fn legend(area: &Area<'_>, lines: &[Line]) -> Result<(), anyhow::Error> {
    let mut y = 50;
    for (name, colour, dashed, points) in lines {
        // A way that refuses strides has a line in one panel alone, and no way has none.
        if points.is_empty() {
            continue;
        }
        let style = colour.stroke_width(2);
        let stretch = if *dashed { [(8, 18), (28, 38)] } else { [(8, 23), (23, 38)] };
        for (from, to) in stretch {
            area.draw(&PathElement::new([(from, y), (to, y)], style))?;
        }
        area.draw(&Circle::new((23, y), 3, colour.filled()))?;
        area.draw(&Text::new(name.clone(), (46, y - 9), ("sans-serif", 20).into_font()))?;
        y += 30;
    }
    Ok(())
}

/// A number of elements in the units of memory: 4096 is 4 Ki.
fn power(x: f64) -> String {
    match x {
        1_048_576.0.. => format!("{} Mi", x / 1_048_576.0),
        1024.0.. => format!("{} Ki", x / 1024.0),
        _ => format!("{x}"),
    }
}
