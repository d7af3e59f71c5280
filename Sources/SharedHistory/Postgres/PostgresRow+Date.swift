internal import PostHistory

extension PostgresRow: DatedRow {}
extension PostgresValue: DatedValue {}
