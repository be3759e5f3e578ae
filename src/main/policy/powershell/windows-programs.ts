/** Programs that come with Windows or stand behind a batch file, and what to think of them. */

const asking: Record<string, string> = Object.fromEntries(
  (
    [
      [
        "It runs other programs or code from text.",
        "cmd powershell pwsh powershell_ise winpty wsl wslconfig bash sh cscript wscript mshta rundll32 regsvr32 msbuild csc vbc jsc installutil regasm regsvcs mavinject odbcconf forfiles pcalua conhost explorer start runas psexec schtasks at sc wmic winrm winrs msiexec control presentationhost ieexec dnx rcsi xwizard scriptrunner appvlp bginfo cdb dotnet-script py pyw hh winget choco scoop",
      ],
      [
        "It reaches other machines.",
        "certutil bitsadmin ftp tftp telnet ssh scp sftp curl wget mstsc net net1 netsh nslookup ping tracert pathping finger ldifde csvde rpcping cmdkey vaultcmd",
      ],
      [
        "It changes the system, its disks or its settings.",
        "reg regedit regini bcdedit bcdboot bootrec diskpart diskshadow format vssadmin wbadmin cipher fsutil defrag chkdsk label mountvol subst icacls cacls takeown attrib compact shutdown logoff taskkill tskill gpupdate secedit auditpol wevtutil dism sfc pnputil devcon manage-bde powercfg setx assoc ftype mklink robocopy xcopy replace expand extrac32 makecab esentutl ntdsutil lodctr sdbinst",
      ],
      [
        "It prints more than files of the workspace.",
        "tasklist systeminfo driverquery whoami klist set findstr find more clip doskey",
      ],
    ] as const
  ).flatMap(([reason, names]) => names.split(" ").map((each) => [each, reason] as const)),
);

/** Programs that are batch files on Windows: their arguments are read once more, by `cmd`. */
export const batchPrograms = new Set(
  "npm npx pnpm yarn corepack tsc tsx eslint prettier vite vitest jest mvn gradle gradlew code az gcloud bundle gem rake ng nx turbo".split(
    " ",
  ),
);

/** Programs whose reading commands mean the same on Windows as elsewhere. */
export const readingPrograms = new Set(["git", "npm", "rg", "jq"]);

/** Programs that, given no words, tell the name of the computer or of the person and nothing else. */
export const tellingPrograms = new Set(["hostname", "whoami"]);

/** Why a program of Windows always asks, or undefined. */
export function findWindowsProgram(name: string): string | undefined {
  return Object.hasOwn(asking, name) ? asking[name] : undefined;
}
