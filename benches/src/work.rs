//! A piece of work, and who does it.

use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

/// A piece of work that several do, each in its own way and with the same result.
pub struct Work {
    /// What is done: `query/100`.
    pub name: String,
    contestants: Box<dyn Fn() -> Vec<Contestant>>,
}

impl Work {
    /// A piece of work, and who does it: Dyna first. They are only asked for when the work is to be done.
    pub fn new<C: IntoIterator<Item = Contestant>>(
        name: impl Into<String>,
        contestants: impl Fn() -> C + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            contestants: Box::new(move || contestants().into_iter().collect()),
        }
    }

    /// Who does it.
    pub fn contestants(&self) -> Vec<Contestant> {
        (self.contestants)()
    }

    /// The same work with others who do it too.
    #[must_use]
    pub fn and<C: IntoIterator<Item = Contestant>>(
        self,
        others: impl Fn(&str) -> C + 'static,
    ) -> Self {
        let (name, contestants) = (self.name.clone(), self.contestants);
        Self::new(self.name, move || {
            contestants().into_iter().chain(others(&name))
        })
    }
}

/// The contestants whose result is not that of the first.
pub fn disagreeing(contestants: &mut [Contestant]) -> Vec<&'static str> {
    let Some((first, others)) = contestants.split_first_mut() else {
        return Vec::new();
    };
    let expected = first.result();
    let others = others.iter_mut();
    others
        .filter_map(|other| (other.result() != expected).then_some(other.peer))
        .collect()
}

/// One who does a piece of work.
pub struct Contestant {
    /// Its name: `dyna`, `serde_dynamo`.
    pub peer: &'static str,
    prepare: Box<dyn FnMut()>,
    once: Box<dyn FnMut()>,
    result: Box<dyn FnMut() -> Value>,
}

impl Contestant {
    /// One whose work yields a value, which is dropped within the work.
    pub fn new<T: Serialize>(peer: &'static str, work: impl Fn() -> T + 'static) -> Self {
        Self::consuming(peer, || (), move |()| work())
    }

    /// One whose work uses up a value, which is made before.
    pub fn consuming<I: 'static, T: Serialize>(
        peer: &'static str,
        make: impl Fn() -> I + 'static,
        work: impl Fn(I) -> T + 'static,
    ) -> Self {
        let work = Rc::new(work);
        let shown = work.clone();
        let show = move |input| serde_json::to_value(shown(input)).expect("results are plain data");
        Self::shown(peer, make, move |input| drop(black_box(work(input))), show)
    }

    /// One whose work yields nothing itself: `show` does it too, and says what came of it.
    pub fn shown<I: 'static>(
        peer: &'static str,
        make: impl Fn() -> I + 'static,
        work: impl Fn(I) + 'static,
        show: impl Fn(I) -> Value + 'static,
    ) -> Self {
        let make = Rc::new(make);
        let input: Rc<RefCell<Option<I>>> = Rc::default();
        Self {
            peer,
            prepare: Box::new({
                let (make, input) = (make.clone(), input.clone());
                move || *input.borrow_mut() = Some(make())
            }),
            once: Box::new(move || {
                let input = input.borrow_mut().take();
                work(input.expect("it is made before"));
            }),
            result: Box::new(move || show(make())),
        }
    }

    /// Makes what the work needs.
    pub fn prepare(&mut self) {
        (self.prepare)();
    }

    /// Does the work, for which it was prepared.
    pub fn work(&mut self) {
        measured(&mut *self.once);
    }

    /// Does the work without being measured, for what is only done the first time.
    pub fn warm_up(&mut self) {
        self.prepare();
        (self.once)();
    }

    /// What the work yields, to be compared with others.
    pub fn result(&mut self) -> Value {
        (self.result)()
    }
}

/// What is counted: callgrind knows it by its name.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}
