# Completion of the stiction command for bash. The command itself knows what may follow.
_stiction() {
    local IFS=$'\n'
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" help --complete "${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _stiction stiction
