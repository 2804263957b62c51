# The outer half of a sandbox: lays out the files of one run, starts a level's command on them, and hands out what it leaves.
# Where it may mount, in namespaces of its own, it has them on a tmpfs of limited size, and all is gone with the last process.
#
#   workspace.sh [FOLDER …] -- COMMAND …
#
# Each FOLDER is bound to tools/0, tools/1 …, as the command's user may not reach it where it is.
# BASE     an empty folder; then it has testbed/, home/, out/, tmp/, shm/ and etc/
# TREE     is copied to testbed/
# LAYER    what an earlier setup added, in tree/ and home/; or empty
# KEEP     a folder for what this run adds, where it exits with 0; or empty
# REPORTS  find's -path of reports in testbed/; or empty
# MOUNTS   whether it may mount; or empty
# BYTES    size of the tmpfs
# OVERLAY  further options of an overlay
# FILTER   of system calls, in octal escapes, which the command reads from fd 9; or empty
# OWNER    id of the user who runs the command, where it is another one, and AS the command line that changes to it
# fd 0     stays open as long as the run is wanted
# fd 3     a tar of the reports in testbed/ and of all that is in out/, and the names of those that are too large
# fd 4     the command writes "started"; "full" where the tmpfs has no room left
set -eu
umask 022
export LC_ALL=C

if [ $$ = 1 ]; then
  # Where who started this is gone, nothing goes on: it held the other end.
  exec 5<&0 </dev/null
  (read -r _ <&5 || kill -KILL -1) >/dev/null 2>&1 3>&- 4>&- &
fi
if [ -n "$MOUNTS" ]; then
  # Who takes all the memory is the first to go.
  echo 1000 >/proc/self/oom_score_adj
  mount -t tmpfs -o "size=$BYTES,nr_inodes=1000000,mode=0755,nosuid,nodev" tmpfs "$BASE"
fi
cd "$BASE/"
mkdir -p testbed home out tmp shm etc root tools layer kept above/tree above/home work/tree work/home

tool=0
while [ "$1" != -- ]; do
  mkdir "tools/$tool"
  mount --rbind "$1" "tools/$tool"
  tool=$((tool + 1))
  shift
done
shift

# The run's user is the only one that can be looked up.
echo 'sandbox:x:1000:1000::/home/sandbox:/bin/sh' >etc/passwd
echo 'sandbox:x:1000:' >etc/group
echo '127.0.0.1 localhost sandbox' >etc/hosts
[ -z "$OWNER" ] || chown "$OWNER:$OWNER" testbed home out tmp shm root above/tree above/home

# copy FROM TO [OPTIONS]: its files then belong to the command's user.
copy() {
  { tar -C "$1" -cf - . || : >unread; } | $AS tar -C "$2" $3 -xpf -
  [ ! -e unread ]
}

overlay() {
  mount -t overlay -o "lowerdir=layer/$1,upperdir=above/$1,workdir=work/$1$OVERLAY" overlay "$2"
}

if [ -n "$LAYER" ]; then
  # Where the kernel has no overlay for us, a copy does.
  if [ -n "$MOUNTS" ] && mount --rbind "$LAYER" layer && overlay tree testbed 2>/dev/null && overlay home home; then :; else
    copy "$LAYER/tree" testbed ""
    copy "$LAYER/home" home ""
  fi
fi
# As of now, so that everything made of these files by the setup, of another state of them, counts as out of date.
copy "$TREE" testbed -m

# reports: deletes or lists them; find follows no symlink.
reports() {
  [ -z "$REPORTS" ] || find testbed -path "testbed/$REPORTS" -type f "$@"
}
reports -delete

printf %b "$FILTER" >filter
# What it prints is one stream; it has nothing of ours but the descriptor on which it says that it started.
status=0
(cd testbed && exec "$@" 2>&1 3>&- 5<&- 9<../filter) || status=$?
# What is left of it can't change anything any more.
[ $$ != 1 ] || kill -KILL -1 2>/dev/null || true

if [ -n "$MOUNTS" ] && [ "$(stat -f -c '%a' .)" -lt 16 ]; then echo full >&4; fi
# What is larger is named, in a file of ours. A name may have anything in it, also the end of a line and what then looks like another name.
{
  reports ! -size -131072k -print0
  find out -type f ! -size -131072k -print0
} | head -z -n 100 >too_large || true
{
  printf 'too_large\0'
  reports -size -131072k -print0
  find out -type f -size -131072k -print0
} | head -z -n 10001 | tar --null --no-recursion -T - -cf - >&3 || true

if [ -n "$KEEP" ] && [ $status = 0 ]; then
  mkdir -p "$KEEP/tree" "$KEEP/home"
  if [ -n "$MOUNTS" ]; then
    mount --rbind "$KEEP" kept
    [ -z "$OWNER" ] || chown "$OWNER:$OWNER" kept/tree kept/home
  else rmdir kept && ln -s "$KEEP" kept; fi
  # What is new: what the tree has is taken from the tree. Its owner can remove all of it again.
  list() { find . -print0 | sort -z; }
  (cd "$TREE" && list) >tree.list
  (cd testbed && list) | comm -z -13 tree.list - >new.list
  tar -C testbed --null --no-recursion -T new.list --mode u+rwX -cf - | $AS tar -C kept/tree -xpf -
  tar -C home --mode u+rwX -cf - . | $AS tar -C kept/home -xpf -
fi
exit $status
