extension HTTPRequest {
  /// Makes the items of a form the body (`application/x-www-form-urlencoded`).
  public mutating func setForm(_ items: [(name: String, value: String)]) {
    upload = nil
    body = Array(PercentEncoding.query(items).utf8)
    headers["Content-Type"] = "application/x-www-form-urlencoded"
  }

  /// Adds items to the query of the address.
  public mutating func addQuery(_ items: [(name: String, value: String)]) {
    url = PercentEncoding.adding(items, to: url)
  }
}
