package import SearchModel
package import SearchSources

extension SourceSetup.Server {
  /// A server with the secrets that are its own and may travel to it.
  ///
  /// - Parameters:
  ///   - variables: The variables of its credentials; nil for those that the source knows.
  ///   - isOnlyOne: Whether it is the only server of its source.
  package init(
    at address: ServerAddress, named variables: [String]?, of source: any Source, isOnlyOne: Bool,
    holding secrets: Secrets
  ) {
    self.init(address: address)
    let known = source.traits.credentialNames
    let names = variables ?? known
    guard !names.isEmpty else { return }
    if variables != nil {
      credentialAdvice = "set \(names.joined(separator: " and "))"
      for (name, own) in zip(known, names) where name != own { ownNames[name] = own }
    } else if !isOnlyOne {
      // A token belongs to one server, and must not be sent to the others.
      credentialAdvice = "name the variable of each server in the configuration file"
    }
    guard secrets.hold(names) else {
      missing = "\(source.name) needs \(names.joined(separator: " and "))"
      if variables == nil, let advice = credentialAdvice {
        missing? += ": \(advice)"
      }
      return
    }
    if variables == nil, !isOnlyOne {
      missing =
        "several servers are set; name the variable of each in the configuration file"
    } else if !address.isSecure, !address.isLoopback {
      missing = "credentials are only sent over https"
      credentialAdvice = "use https; credentials are only sent over https"
    } else {
      do throws(Failure) {
        credentials = try secrets.credentials(named: names)
      } catch {
        badCredential = error
      }
      return
    }
    withheld = names
  }
}
