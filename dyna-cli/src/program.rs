//! A program that prints the schema in every format, and creates and verifies the tables.

use crate::catalog::{Catalog, CatalogTable};
use crate::format::Format;
use aws_sdk_dynamodb::Client;
use dyna_runtime::{DynaTable, Error, admin};
use std::fmt;
use std::future::Future;
use std::io::{ErrorKind, Write};
use std::pin::Pin;
use std::process::{ExitCode, Termination};

/// A program over the schema of a table: return it from `main`.
///
/// ```no_run
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String }
/// # async fn connect() -> aws_sdk_dynamodb::Client { unimplemented!() }
/// fn main() -> impl std::process::Termination {
///     dyna_cli::main::<User>() // `.table::<Shop>()` adds another table
///         .client(connect)     // only for `create`, `verify`, `add-indexes` and `enable-settings`
/// }
/// ```
///
/// `cargo run -- --help` lists the commands; `cargo run -- terraform > tables.tf` runs one. See the [crate documentation](crate).
pub fn main<T: DynaTable>() -> Program {
    Program {
        catalog: Catalog::of::<T>(),
        connect: None,
        problem: None,
    }
}

type Connect = Box<dyn FnOnce() -> Pin<Box<dyn Future<Output = Client>>>>;

/// A program over the schema of one or more tables: see [`main`].
#[must_use = "a program runs when `main` returns it"]
pub struct Program {
    catalog: Catalog,
    connect: Option<Connect>,
    /// A sample that cannot be shown.
    problem: Option<Error>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.catalog.tables.iter().map(|table| &table.name);
        f.debug_tuple("Program")
            .field(&tables.collect::<Vec<_>>())
            .finish()
    }
}

impl Termination for Program {
    fn report(self) -> ExitCode {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        match runtime.enable_all().build() {
            Ok(runtime) => runtime.block_on(self.run(std::env::args().skip(1))),
            Err(error) => print(Err(error.to_string())),
        }
    }
}

impl Program {
    /// Adds another table: `main::<Chat>().table::<Shop>()`.
    pub fn table<T: DynaTable>(mut self) -> Self {
        self.catalog = self.catalog.table::<T>();
        self
    }

    /// Shows these items in the place of those that are made up for their entities. Adds their table if it is not there yet.
    ///
    /// `markdown`, `workbench` and `html` print them as they are: give it none with personal data.
    pub fn samples<T: DynaTable>(mut self, items: impl IntoIterator<Item = T>) -> Self {
        match self.catalog.clone().samples(items) {
            Ok(catalog) => self.catalog = catalog,
            Err(error) => self.problem = Some(error),
        }
        self
    }

    /// The client of `create`, `verify`, `add-indexes` and `enable-settings`. It is made only for these.
    pub fn client<F>(mut self, connect: impl FnOnce() -> F + 'static) -> Self
    where
        F: Future<Output = Client> + 'static,
    {
        self.connect = Some(Box::new(|| Box::pin(connect())));
        self
    }

    /// Runs the command of these arguments: prints its output to stdout, or its error to stderr. Call it where you have a tokio runtime
    /// already, instead of returning the program from `main`.
    pub async fn run(self, arguments: impl IntoIterator<Item = String>) -> ExitCode {
        print(self.output(arguments).await)
    }

    /// Runs the command of these arguments and returns its output. An error if the arguments are wrong, a table differs from its
    /// declaration or DynamoDB fails.
    pub async fn output(
        mut self,
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<String, String> {
        let mut command = None;
        let mut wanted: Vec<String> = Vec::new();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            // `--table Shop` or `--table=Shop`
            let (option, given) = match argument.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (argument.as_str(), None),
            };
            let mut value = || {
                let value = given.map(ToOwned::to_owned).or_else(|| arguments.next());
                value.ok_or_else(|| format!("`{option}` needs a value; see `--help`"))
            };
            match option {
                "-h" | "--help" | "help" => return Ok(self.help()),
                "--table" => wanted.push(value()?),
                "--set" => {
                    let value = value()?;
                    self.set(&value)?;
                }
                option if option.starts_with('-') => {
                    return Err(format!("there is no option `{option}`; see `--help`"));
                }
                name if command.is_none() => command = Some(name.to_owned()),
                name => return Err(format!("one command at a time, and `{name}` is another")),
            }
        }
        let Some(command) = command else {
            return Err(self.help());
        };
        self.choose(&wanted)?;
        if let Some(problem) = &self.problem {
            return Err(format!("a sample cannot be shown: {problem}"));
        }
        match Format::ALL
            .into_iter()
            .find(|format| format.name() == command)
        {
            Some(format) => Ok(self.catalog.to_text(format)),
            None => self.in_dynamodb(&command).await,
        }
    }

    /// `stage=prod`
    fn set(&mut self, assignment: &str) -> Result<(), String> {
        let Some((variable, value)) = assignment.split_once('=') else {
            return Err(format!(
                "`--set {assignment}` has no value: write `--set {assignment}=..`"
            ));
        };
        let known = self.catalog.variables();
        if !known.contains(&variable) {
            return Err(format!(
                "no table has a variable `{variable}` without a value in its name; there is {}",
                listed(known.iter().copied())
            ));
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if value.is_empty() || !value.chars().all(fits) {
            return Err(format!(
                "`{value}` cannot be in the name of a table: it takes letters, digits, `_`, `-` and `.`"
            ));
        }
        self.catalog = self.catalog.clone().with_variable(variable, value);
        Ok(())
    }

    /// Only the tables that were named, if any.
    fn choose(&mut self, wanted: &[String]) -> Result<(), String> {
        let types = self
            .catalog
            .tables
            .iter()
            .map(|table| table.schema.type_name);
        for name in wanted {
            if !types.clone().any(|known| known == name) {
                let types = listed(types.clone());
                return Err(format!("there is no table `{name}`; there is {types}"));
            }
        }
        if !wanted.is_empty() {
            let is_wanted =
                |table: &CatalogTable| wanted.iter().any(|name| name == table.schema.type_name);
            self.catalog.tables.retain(is_wanted);
        }
        Ok(())
    }

    async fn in_dynamodb(mut self, command: &str) -> Result<String, String> {
        if !["create", "verify", "add-indexes", "enable-settings"].contains(&command) {
            return Err(format!("there is no command `{command}`; see `--help`"));
        }
        if let Some(variable) = self.catalog.variables().first() {
            return Err(format!(
                "the name of a table has a variable: write `--set {variable}=..`"
            ));
        }
        let Some(connect) = self.connect.take() else {
            return Err(format!(
                "`{command}` needs a client: give the program one with `.client(..)`"
            ));
        };
        let client = connect().await;
        let (mut lines, mut failed) = (Vec::new(), false);
        for table in &self.catalog.tables {
            let done = execute(command, &client, table).await;
            failed |= done.is_err();
            lines.push(done.unwrap_or_else(|problem| problem));
        }
        let text = lines.join("\n") + "\n";
        if failed { Err(text) } else { Ok(text) }
    }

    fn help(&self) -> String {
        let tables = listed(
            self.catalog
                .tables
                .iter()
                .map(|table| table.schema.type_name),
        );
        let formats =
            Format::ALL.map(|format| format!("  {:20} {}\n", format.name(), format.description()));
        let variables = match self.catalog.variables().as_slice() {
            [] => String::new(),
            [first, ..] => {
                let all = listed(self.catalog.variables().into_iter());
                format!(
                    "  --set {:14} the value of a variable in the names of tables: {all}\n",
                    format!("{first}=..")
                )
            }
        };
        format!(
            "The schema of {tables}, from the declarations in code.

Usage: <command> [options]

Printed:
{}
In DynamoDB:
  create               creates the tables that are not there, and verifies those that are
  verify               says how the tables differ from their declarations, and fails if they do;
                       capacity that autoscaling changed and undeclared indexes are only said
  add-indexes          adds the global indexes that the tables lack
  enable-settings      turns on the TTL and the point-in-time recovery that the tables lack

Options:
  --table <name>       only this table; can be repeated
{variables}  -h, --help           prints this
",
            formats.concat()
        )
    }
}

/// Does one of the commands for one table.
async fn execute(command: &str, client: &Client, table: &CatalogTable) -> Result<String, String> {
    let (name, schema) = (table.name.as_str(), table.schema);
    let failed = |error: Error| match error {
        Error::SchemaMismatch { differences } => differences.to_string(),
        error => format!("table `{name}`: {error}"),
    };
    match command {
        "create" => {
            admin::create_table(client, schema, name)
                .await
                .map_err(failed)?;
            Ok(format!("table `{name}` is there, as declared"))
        }
        "verify" => {
            let found = admin::differences(client, schema, name)
                .await
                .map_err(failed)?;
            let text = found.to_string();
            if found.not_tolerated().is_empty() {
                Ok(text)
            } else {
                Err(text)
            }
        }
        "enable-settings" => {
            let enabled = admin::enable_missing_settings(client, schema, name);
            let enabled = enabled.await.map_err(failed)?;
            let enabled: Vec<_> = enabled.iter().map(ToString::to_string).collect();
            Ok(match enabled.as_slice() {
                [] => format!("table `{name}` lacks no setting"),
                enabled => format!("table `{name}` has now {}", enabled.join(" and ")),
            })
        }
        _ => {
            let added = admin::add_missing_indexes(client, schema, name);
            Ok(match added.await.map_err(failed)?.as_slice() {
                [] => format!("table `{name}` lacks no index"),
                added => format!("table `{name}` has now {}", listed(added.iter().copied())),
            })
        }
    }
}

/// `a`, `b`
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

fn print(output: Result<String, String>) -> ExitCode {
    match output.and_then(|text| write(&text, std::io::stdout())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            // There is nowhere left to report that this failed.
            let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
            ExitCode::FAILURE
        }
    }
}

/// A reader that closes its pipe early, such as `head`, is no failure; half a file on a full disk is.
fn write(text: &str, mut to: impl Write) -> Result<(), String> {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("the output cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use std::io::{self, ErrorKind, Write};

    struct Fails(ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn output_that_is_lost_is_an_error() {
        let full = write("text", Fails(ErrorKind::StorageFull));
        assert_eq!(
            full,
            Err("the output cannot be written: no storage space".to_owned())
        );
        assert_eq!(write("text", Fails(ErrorKind::BrokenPipe)), Ok(()));
    }
}
