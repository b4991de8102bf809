//! `into_any()`: queries of one type, whichever key they read.

use dyna_runtime::embedded::Embedded;
use dyna_runtime::{AnyQuery, DynaCollection, DynaEntity, DynaProjection, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(DynaTable)]
#[dyna(
    name = "shop", pk = "pk", sk = "sk", tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(gsi2, pk = "gsi2pk", projection = include("total")),
)]
enum Shop {
    Order(Order),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop, pk = "USER#<user>", sk = "ORDER#<n:04>",
    gsi1(as = by_state, pk = "STATE#<state>", sk = "<n:04>"),
    gsi2(as = by_courier, pk = "COURIER#<courier>"),
)]
struct Order {
    user: String,
    n: u16,
    state: String,
    courier: String,
    total: u32,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Order, index = gsi2)]
struct Total {
    total: u32,
}

#[derive(Debug, PartialEq, DynaCollection)]
#[dyna(index = gsi1)]
enum InState {
    Order(Order),
}

#[derive(Debug, PartialEq, DynaCollection)]
enum OfUser {
    Order(Order),
}

fn order(n: u16) -> Order {
    Order {
        user: "ann".into(),
        n,
        state: "open".into(),
        courier: "bob".into(),
        total: u32::from(n) * 10,
    }
}

async fn shop(engine: &Embedded) -> Table<Shop> {
    let db = Table::<Shop>::embedded_in(engine).await.unwrap();
    for n in 1..=4 {
        order(n).put().send(&db).await.unwrap();
    }
    db
}

enum Wanted<'a> {
    Of(&'a str),
    Since(&'a str, u16),
    Carried(&'a str),
}

fn orders(wanted: &Wanted<'_>) -> AnyQuery<Order> {
    let query = match wanted {
        Wanted::Of(user) => Order::query(user).consistent().into_any(),
        Wanted::Since(state, n) => Order::by_state(state).n_range(*n..).into_any(),
        Wanted::Carried(courier) => Order::by_courier(courier).hydrate().into_any(),
    };
    query.descending()
}

#[tokio::test]
async fn queries_of_table_and_indexes_have_one_type() {
    let engine = Embedded::in_memory().unwrap();
    let db = shop(&engine).await;
    for (wanted, numbers) in [
        (Wanted::Of("ann"), vec![4, 3, 2, 1]),
        (Wanted::Since("open", 3), vec![4, 3]),
    ] {
        let found = orders(&wanted).all(&db).await.unwrap();
        let found: Vec<_> = found.iter().map(|order| order.n).collect();
        assert_eq!(found, numbers);
    }
    let mut carried = orders(&Wanted::Carried("bob")).all(&db).await.unwrap();
    carried.sort_by_key(|order| order.n);
    assert_eq!(carried, [order(1), order(2), order(3), order(4)]);

    let of_user = orders(&Wanted::Of("ann")).explain();
    assert_eq!(of_user.get("ConsistentRead"), Some("true"));
    assert_eq!(of_user.get("IndexName"), None);
    let since = orders(&Wanted::Since("open", 3)).explain();
    assert_eq!(since.get("IndexName"), Some("gsi1"));
}

#[tokio::test]
async fn pages_go_on_through_the_cursor_of_the_typed_query() {
    let engine = Embedded::in_memory().unwrap();
    let db = shop(&engine).await;
    let query: AnyQuery<Order> = Order::by_state("open").limit(3).into_any();
    let first = query.clone().send(&db).await.unwrap();
    assert_eq!(first.items.len(), 3);
    let rest = query.after(first.next.clone()).send(&db).await.unwrap();
    assert_eq!(rest.items, [order(4)]);
    let typed = Order::by_state("open").limit(3).after(first.next);
    assert_eq!(typed.send(&db).await.unwrap().items, [order(4)]);
}

#[tokio::test]
async fn collections_and_projections_are_stored_too() {
    let engine = Embedded::in_memory().unwrap();
    let db = shop(&engine).await;
    let in_state: AnyQuery<InState> = InState::query("open").limit(1).into_any();
    assert_eq!(in_state.all(&db).await.unwrap(), [InState::Order(order(1))]);
    let of_user: AnyQuery<OfUser> = OfUser::query("ann").limit(1).into_any();
    assert_eq!(of_user.all(&db).await.unwrap(), [OfUser::Order(order(1))]);
    let totals: AnyQuery<Order, Total> = Order::by_courier("bob").project().into_any();
    let totals = totals.all(&db).await.unwrap();
    assert_eq!(totals.iter().map(|it| it.total).sum::<u32>(), 100);
}
