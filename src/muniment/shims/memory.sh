#!/bin/sh
# The commands of a memory.sh skill, answered by muniment.
#
#   memory.sh add TYPE CONTENT [SOURCE] [TAGS] [SOURCE_URL] [CONTEXT]
#   memory.sh get WORDS | list TYPE | update ID FIELD VALUE | touch ID | supersede OLD NEW
#   memory.sh correct ID CLAIM REASON [TAGS] | success ID [NOTE] | failure ID [NOTE]
#   memory.sh conflicts TEXT | similar TEXT [THRESHOLD] | history ID
#
# Places keep their order, and an empty one ("") holds its place. MUNIMENT names the program where it is not on the PATH.
set -eu

muniment=${MUNIMENT:-muniment}

if [ $# -eq 0 ]; then
    sed -n '3,8s/^# *//p' "$0"
    exit 2
fi

verb=$1
shift
case $verb in
    add | get | list | update | touch | supersede | correct | success | failure | conflicts | similar | history)
        # What follows the dashes is never taken for an option: a claim may begin with one.
        exec $muniment "$verb" -- "$@"
        ;;
    search)
        exec $muniment get -- "$@"
        ;;
    delete | remove)
        exec $muniment retract -- "$@"
        ;;
    init | stats)
        exec $muniment doctor
        ;;
    *)
        echo "memory.sh: no command $verb" >&2
        exit 2
        ;;
esac
