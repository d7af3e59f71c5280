internal import Application
internal import ArgumentParser

/// `searchagg completion`: the script that a shell loads to complete command lines.
///
/// The scripts ask `searchagg complete` for the candidates, which are plain lines: no shell ever evaluates
/// a value, even if a stored tag is called `$(touch x)`.
struct CompletionCommand: ContextCommand {
  enum Shell: String, CaseIterable, ExpressibleByArgument { case bash, zsh, fish }

  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Print the completion script of a shell.",
    discussion: """
      EXAMPLES:
          source <(searchagg completion bash)
          searchagg completion zsh > ~/.zfunc/_searchagg
          searchagg completion fish > ~/.config/fish/completions/searchagg.fish
      """)

  @Argument(help: "The shell.")
  var shell: Shell

  func run(in context: Context) async throws -> CommandStatus {
    let script =
      switch shell {
      case .bash: Self.bash
      case .zsh: Self.zsh
      case .fish: Self.fish
      }
    try context.write(script)
    return .success
  }

  private static let bash = #"""
    # Completion of searchagg for bash.
    _searchagg() {
      local current=${COMP_WORDS[COMP_CWORD]} rest=$COMP_LINE words=() before output line value index
      COMPREPLY=()
      # Bash cuts words at colons: what nothing separates on the line belongs together.
      for ((index = 0; index <= COMP_CWORD; index++)); do
        value=${COMP_WORDS[index]}
        line=${rest#"${rest%%[![:space:]]*}"}
        if [[ $index -gt 0 && $line == "$rest" && ("${words[-1]}" == *: || $value == :*) ]]; then
          words[-1]+=$value
        else
          words+=("$value")
        fi
        rest=${line#"$value"}
      done
      # It replaces only what follows the last colon.
      before=${words[-1]%"$current"}
      [[ $current != : ]] || before=${words[-1]}
      output=$(searchagg complete -- "${words[@]:1}" 2> /dev/null) || return
      if [[ $output == :files ]]; then
        compopt -o default
        return
      fi
      while IFS= read -r line; do
        value=${line%%$'\t'*}
        [[ -n $value ]] || continue
        case $current in
          # Within quotation marks a value is inserted as it is, so that some cannot be.
          \'*) [[ $value == *\'* ]] || COMPREPLY+=("$value") ;;
          \"*) [[ $value == *[\"\$\`\\!]* ]] || COMPREPLY+=("$value") ;;
          *) printf -v value %q "$value"; COMPREPLY+=("${value#"$before"}") ;;
        esac
      done <<< "$output"
    }
    complete -F _searchagg searchagg

    """#

  private static let zsh = #"""
    #compdef searchagg
    # Completion of searchagg for zsh.
    _searchagg() {
      local line
      local -a lines values shown
      lines=("${(@f)$(searchagg complete -- "${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
      if [[ $lines[1] == :files ]]; then
        _files
        return
      fi
      for line in "${lines[@]}"; do
        [[ -n $line ]] || continue
        values+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  -- }")
      done
      compadd -l -d shown -a values
    }
    if [[ $funcstack[1] == _searchagg ]]; then
      _searchagg "$@"
    else
      compdef _searchagg searchagg
    fi

    """#

  private static let fish = #"""
    # Completion of searchagg for fish.
    function __searchagg_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l lines (searchagg complete -- $words[2..-1] "$current" 2> /dev/null)
        if test "$lines[1]" = :files
            __fish_complete_path "$current"
        else
            printf '%s\n' $lines
        end
    end
    complete -c searchagg -f -a '(__searchagg_complete)'

    """#
}

/// `searchagg complete`: the command that the scripts of `searchagg completion` call.
struct CompleteCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Print the candidates for the last word.",
    shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough)
  var words: [String] = []

  func run(in context: Context) async throws -> CommandStatus {
    let words = words.first == "--" ? Array(words.dropFirst()) : words
    let candidates = Completer(of: .root, in: context).candidates(for: words)
    try context.write(candidates.map { "\($0)\n" }.joined())
    return .success
  }
}
