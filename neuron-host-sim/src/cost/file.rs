//! The settings as a TOML file.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::CostModelError;
use super::model::CostModel;
use super::settings::{SETTINGS, Setting};

/// The settings of the SDK, with their sources.
pub(crate) const DEFAULT: &str = include_str!("../../cost-model.toml");

/// The settings of `text`, which is that of `file`.
pub(crate) fn read(file: &str, text: &str) -> Result<CostModel, CostModelError> {
    let line = |place: usize| text[..place].matches('\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| CostModelError::Syntax {
        file: file.to_owned(),
        line: line(error.span().map_or(0, |span| span.start)),
        reason: error.message().to_owned(),
    })?;
    let unknown = |setting: String, place: usize| CostModelError::Unknown {
        file: file.to_owned(),
        line: line(place),
        nearest: nearest(&setting),
        setting,
    };
    let mut model = CostModel::unset();
    let mut missing: Vec<&Setting> = SETTINGS.iter().collect();
    for (section, keys) in in_order(table.get_ref()) {
        let place = section.span().start;
        let DeValue::Table(keys) = keys.get_ref() else {
            return Err(unknown(section.get_ref().to_string(), place));
        };
        if !SETTINGS.iter().any(|setting| setting.section == section.get_ref()) {
            return Err(unknown(format!("[{}]", section.get_ref()), place));
        }
        for (key, value) in in_order(keys) {
            let is_it =
                |setting: &&Setting| setting.section == section.get_ref() && setting.key == key.get_ref();
            let place = missing.iter().position(is_it).ok_or_else(|| {
                unknown(format!("{}.{}", section.get_ref(), key.get_ref()), key.span().start)
            })?;
            let setting = missing.remove(place);
            let line = line(key.span().start);
            let number = number(value.get_ref()).ok_or_else(|| CostModelError::NoNumber {
                file: file.to_owned(),
                line,
                setting: setting.name(),
                found: text[value.span()].to_owned(),
                unit: setting.unit,
            })?;
            setting.check(number, file, Some(line))?;
            setting.set(&mut model, number);
        }
    }
    match missing.first() {
        None => Ok(model),
        Some(setting) => Err(CostModelError::Missing { file: file.to_owned(), setting: setting.name() }),
    }
}

/// The default file with these settings.
pub(crate) fn write(model: &CostModel) -> String {
    let mut section = "";
    let mut text = String::new();
    for line in DEFAULT.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        }
        let key = line.split_once(" = ").map_or("", |(key, _)| key);
        match SETTINGS.iter().find(|setting| setting.section == section && setting.key == key) {
            Some(setting) => text += &format!("{key} = {}\n", setting.get(model)),
            None => text += &format!("{line}\n"),
        }
    }
    text
}

/// The entries of a table as the file has them, so that the first thing wrong is told first.
fn in_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> Vec<(&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) => {
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
        }
        _ => None,
    }
}

/// The setting whose name needs the fewest changes to become this one; the section, of a section's.
fn nearest(name: &str) -> String {
    let section = name.starts_with('[');
    let known = |setting: &Setting| if section { format!("[{}]", setting.section) } else { setting.name() };
    // Under another section, or under none, a key is most likely itself.
    let key = name.split_once('.').map_or(name, |(_, key)| key);
    if let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key) {
        return setting.name();
    }
    SETTINGS.iter().map(known).min_by_key(|known| changes(name, known)).unwrap_or_default()
}

/// How many characters to insert, delete or exchange to make `b` of `a`.
fn changes(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.chars().enumerate() {
            let exchanged = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.pop().unwrap_or_default()
}
