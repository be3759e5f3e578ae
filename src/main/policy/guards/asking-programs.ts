/** The programs that always ask, whatever their arguments, grouped by the reason that a person is told. */

import { opaque, reachesOut } from "../bounded/opaque-reasons.ts";
import { findWindowsProgram } from "../powershell/windows-programs.ts";

export const unpacks =
  "It prints or unpacks what an archive holds, and nobody sees here which secrets are in it.";

const classes: readonly [reason: string, names: string][] = [
  [
    opaque.interpreter,
    "sh bash dash zsh ksh mksh fish csh tcsh ash rbash elvish nu xonsh pwsh powershell cmd python python2 python3 pypy pypy3 ipython node nodejs deno ts-node tsx perl ruby irb php lua luajit tclsh wish expect awk gawk mawk nawk osascript java jshell groovy scala kotlin swift julia R Rscript octave guile racket sbcl clisp erl elixir iex ghci runghc runhaskell ocaml dotnet-script osacompile automator shortcuts m4 bc dc gnuplot sqlite3 sqlite psql pgcli usql mysql mysqlsh mariadb mycli litecli duckdb clickhouse-client cqlsh sqlcmd sqlplus isql tsql cypher-shell mongosh mongo redis-cli valkey-cli keydb-cli bun bunx jq-repl emacsclient",
  ],
  [
    opaque.starter,
    "xargs parallel busybox toybox exec eval source . builtin coproc setsid ionice chrt taskset unbuffer script watch flock strace ltrace gdb lldb valgrind perf chroot unshare nsenter runcon setarch linux32 linux64 prlimit start-stop-daemon systemd-run at batch crontab tmux screen dtach abduco entr inotifywait fswatch watchexec nodemon onchange chokidar concurrently start-server-and-test cross-env cross-env-shell env-cmd dotenvx shx dbus-run-session firejail bwrap proot fakeroot cpulimit catchsegv rlwrap sem make-kpkg run-parts chronic ifne direnv dotenv op doppler nix-shell nix guix vagrant pipx uvx ld ld.so gawk caffeinate open xdg-open gio start wslview termux-open run-mailcap see mutt mail sendmail simctl devicectl xctrace instruments dtrace dtruss dapptrace dappprof opensnoop execsnoop iosnoop fs_usage",
  ],
  [
    opaque.shellState,
    "alias unalias trap enable hash bind complete compgen compopt history fc mapfile readarray read let declare typeset local readonly export unset shopt shift getopts caller ulimit umask pushd popd dirs suspend logout disown jobs bg fg env printenv set-option",
  ],
  [
    "It acts with the rights of another user.",
    "sudo sudoedit su doas pkexec runuser sg newgrp gosu su-exec setpriv capsh chfn chsh passwd visudo login",
  ],
  [
    reachesOut,
    "ssh scp sftp slogin mosh rsh rlogin telnet ftp lftp tftp ncftp nc ncat netcat socat rsync rclone sshfs autossh sshpass ansible ansible-playbook kubectl helm oc docker podman nerdctl buildah docker-compose docker-machine lxc lxc-exec machinectl terraform tofu pulumi aws gcloud az gsutil bq doctl heroku fly flyctl vercel netlify wrangler firebase serverless cdk sam eksctl ngrok cloudflared",
  ],
  [
    opaque.interactive,
    "vi vim nvim view vimdiff ex ed red nano pico emacs micro helix hx joe less more most pg man info pinfo lynx links w3m elinks top htop btop mc ranger nnn fzf dialog whiptail gdbtui tig lazygit ipdb bat batcat",
  ],
  [
    "It handles keys and secrets.",
    "gpg gpg2 gpgsm gpg-agent openssl ssh-keygen ssh-add ssh-agent ssh-copy-id pass gopass secret-tool security keychain vault age sops keytool certutil bw lpass getent base32-secret git-credential-store",
  ],
  [
    "It changes the system or its services.",
    "apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk emerge snap flatpak brew port softwareupdate systemctl service initctl launchctl rc-service update-rc.d chkconfig shutdown reboot halt poweroff init telinit mount umount losetup swapon swapoff sysctl modprobe insmod rmmod iptables ip6tables nft ufw firewall-cmd ip ifconfig route useradd userdel usermod groupadd groupdel adduser deluser chpasswd timedatectl hostnamectl localectl loginctl update-alternatives ldconfig depmod dmesg journalctl defaults scutil networksetup pmset spctl csrutil nvram tmutil setfacl chattr setcap auditctl reg regedit schtasks sc net netsh wmic sysadminctl hdiutil tccutil profiles kextload kextunload kextutil kextcache kmutil fdesetup systemsetup chflags codesign dscl dseditgroup dsenableroot dsconfigad bless bputil installer pkgutil mdutil firmwarepasswd systemextensionsctl authopen lsregister duti createhomedir startosinstall createinstallmedia cupsctl lpadmin log xcode-select",
  ],
  [
    "It reads what was copied last, what is on the screen or what passes on the network.",
    "tcpdump tshark dumpcap tcpflow ngrep ettercap bettercap pbpaste screencapture imagesnap xclip xsel wl-paste scrot grim",
  ],
  ["It ends or steers other programs.", "kill killall pkill skill fuser renice xdotool xkill tmutil"],
  [
    "It destroys data beyond recovery or writes to devices.",
    "dd shred wipe srm truncate fdisk sfdisk cfdisk parted gdisk sgdisk hdparm cryptsetup dmsetup lvremove vgremove pvremove mdadm diskutil badblocks wipefs blkdiscard sync-disk asr gpt",
  ],
  [
    unpacks,
    "zcat gzcat bzcat xzcat lzcat zstdcat lz4cat bsdcat zgrep zegrep zfgrep bzgrep xzgrep lzgrep zstdgrep zipgrep zdiff zcmp bzdiff bzcmp xzdiff xzcmp zless zmore bzless bzmore xzless xzmore zstdless gunzip bunzip2 unxz unlzma unzstd unlz4 uncompress funzip bsdtar 7zz unar lsar rpm2cpio jar",
  ],
  [opaque.namedInside, "patch cpio pax ar 7z 7za 7zr unrar rar ditto"],
];

const reasons = new Map(
  classes.flatMap(([reason, names]) => names.split(" ").map((name) => [name, reason] as const)),
);

const versioned = /^(?:python|pypy|node|perl|ruby|lua|php|bash|tclsh|java|gawk)-?\d+(?:\.\d+)*$/;

const windowsSuffix = /\.(?:exe|cmd|bat|com)$/i;
/** Of Windows' programs those whose name no other program of other systems has. */
const onlyOnWindows =
  /^(?:winpty|explorer|taskkill|tskill|tasklist|icacls|cacls|takeown|attrib|msiexec|mshta|rundll32|regsvr32|regini|cscript|wscript|wsl|wslconfig|forfiles|pcalua|conhost|runas|bitsadmin|vssadmin|wbadmin|diskshadow|bcdedit|bcdboot|diskpart|fsutil|setx|robocopy|xcopy|cmdkey|systeminfo|driverquery|msbuild|manage-bde|powercfg|pnputil|gpupdate|wevtutil|esentutl|makecab|winget|choco|scoop)$/i;

/** A program of Windows, which Git's bash starts with and without its suffix. */
function findOnWindows(name: string): string | undefined {
  const plain = name.replace(windowsSuffix, "").toLowerCase();
  if (plain === name && !onlyOnWindows.test(name)) return undefined;
  return reasons.get(plain) ?? findWindowsProgram(plain);
}

const ofSystem = /^(?:u?mount|mkfs|fsck)\.\w+$/;

/** Why a program always asks, or undefined when its arguments decide. */
export function findAskingProgram(name: string): string | undefined {
  if (ofSystem.test(name)) return reasons.get("mount");
  return findOnWindows(name) ?? reasons.get(name) ?? (versioned.test(name) ? classes[0]![0] : undefined);
}
