/** PowerShell texts to judge, by what must become of them. Used by the tests beside it. */

/** `¢` stands for a backtick, `¤` for a blank that does not break and `§` for a dollar, which a template would read. */
export const lines = (text: string): string[] =>
  text
    .trim()
    .replaceAll("¢", "`")
    .replaceAll("¤", "\u00a0")
    .replaceAll("§", "$")
    .split("\n")
    .map((line) => line.trim());

/** Reading inside of the workspace, as agents write it: runs unasked in a trusted folder. */
export const ordinary = lines(String.raw`
Get-ChildItem
ls
dir
gci src
Get-ChildItem -Path src -Recurse
Get-ChildItem -Recurse -Filter *.ts
gci -r -filt *.ts
Get-ChildItem src -Recurse -File -Include *.ts,*.tsx
Get-ChildItem -Recurse -Depth 2 -Directory
Get-ChildItem -Force
Get-ChildItem -Name
ls src -Name
Get-Content README.md
gc README.md
cat package.json
type src\index.ts
Get-Content src\index.ts -TotalCount 20
Get-Content src/index.ts -Tail 20
Get-Content -Path .\src\index.ts -Raw
Get-Content 'docs\my notes.md'
Get-Content "docs\my notes.md" -Encoding UTF8
Get-Content -LiteralPath src\a.ts
Get-Content src\a.ts, src\b.ts
Get-Content README.md | Select-Object -First 10
Get-Content README.md | Select-String TODO
Get-Content README.md | Measure-Object -Line
gc package.json | ConvertFrom-Json
Get-Content package.json -Raw | ConvertFrom-Json | Select-Object name,version
Select-String -Pattern TODO -Path src\*.ts
Select-String TODO src\index.ts
sls "function main" src\*.ts
sls 'export (const|function)' src\*.ts -CaseSensitive
Select-String -Path *.md -Pattern "install" -SimpleMatch
Select-String -Pattern x -Path src\a.ts -Context 2
Get-ChildItem -Recurse -Filter *.ts | Select-String TODO
Get-ChildItem -Recurse -Include *.ts | Select-String -Pattern "import .* from" -List
Get-ChildItem src -Filter *.ts | Get-Content
Get-ChildItem -Recurse -Filter *.ts | Measure-Object
Get-ChildItem | Sort-Object Length -Descending
Get-ChildItem | Sort-Object LastWriteTime | Select-Object -Last 5
Get-ChildItem -Recurse | Where-Object Length -gt 1000
Get-ChildItem | Where-Object Name -like *.ts
Get-ChildItem | Select-Object Name,Length
Get-ChildItem | Select-Object -ExpandProperty FullName
gci | select Name, LastWriteTime
Get-ChildItem | Format-Table Name,Length -AutoSize
Get-ChildItem | Format-List Name,FullName
Get-ChildItem -Recurse -File | Group-Object Extension
gci -Recurse -File | group Extension -NoElement
ls | measure
Test-Path README.md
Test-Path src\index.ts -PathType Leaf
Resolve-Path src
Split-Path src\index.ts -Leaf
Join-Path src index.ts
Get-Item package.json
gi package.json | Select-Object Length,LastWriteTime
Get-FileHash package.json
Get-FileHash package.json -Algorithm SHA256
Format-Hex logo.png -Count 64
Import-Csv data.csv
Import-Csv data.csv | Select-Object -First 5
Get-Location
pwd
cd src
Set-Location src
Get-Date
Get-Date -Format yyyy-MM-dd
Get-Host
Get-Command node
gcm git
Get-Process
Get-Process node
ps | Sort-Object CPU -Descending | Select-Object -First 10
Get-Process | Select-Object Name,Id,CPU
Write-Output done
echo hello
Write-Host 'all good'
echo "two words"
ls $PWD
Get-ChildItem $PWD\src
Test-Path $PWD\src 2>$null
Get-ChildItem missing -ErrorAction SilentlyContinue
Get-ChildItem -Recurse -Filter *.log | Out-String
git status
git log --oneline -5
git diff
git diff HEAD~1 -- src/a.ts
git branch
git show HEAD
git status | Select-String modified
node --version
npm --version
python --version
git --version
hostname
`);

/** Changes for which a rule can be made. */
export const everyday = lines(String.raw`
npm test
npm run build
npm install lodash
cargo build
dotnet test
go test ./...
git add .
git commit -m 'Mend the door'
New-Item -ItemType Directory build
New-Item notes.txt
Set-Content notes.txt hello
Set-Content -Path notes.txt -Value 'hello there'
Add-Content notes.txt more
echo hello | Out-File notes.txt
Copy-Item a.txt b.txt
cp a.txt b.txt
Move-Item a.txt docs\a.txt
Rename-Item a.txt b.txt
Remove-Item a.txt
rm build\out.txt
`);

/** What must never come about, whoever says yes. */
export const neverRuns = lines(String.raw`
Remove-Item -Recurse -Force C:\
Remove-Item -Recurse -Force C:\*
Remove-Item C:\ -rec -fo
rm -r -fo C:\
ri C:\Windows -Recurse
Remove-Item -Recurse "C:\Windows\System32"
Remove-Item -Path 'C:\Program Files' -Recurse -Force
del C:\Users -Recurse
Remove-Item -Recurse C:\Users\ada
Remove-Item -Recurse -Force $HOME
Remove-Item -Recurse -Force $env:USERPROFILE
Remove-Item -Recurse -Force ~
Remove-Item -Recurse -Force §{env:USERPROFILE}
Remove-Item -Recurse $env:SystemRoot
Remove-Item -Recurse $env:SystemDrive\
Remove-Item -Re¢curse C:\
Remove-Item -Recurse ..
Remove-Item -Recurse C:\work
rmdir /s /q C:\
rd /s /q C:\Users\ada
cmd /c rd /s /q C:\Users\ada
cmd /c "rmdir /s /q C:\Windows"
cmd.exe /c del /s /q C:\*
Get-ChildItem C:\ -Recurse | Remove-Item -Force
gci -r C:\Users | ri -r -fo
& Remove-Item -Recurse C:\
Invoke-Expression "Remove-Item -Recurse -Force C:\"
iex 'rm -r C:\Windows'
[IO.Directory]::Delete('C:\', $true)
[System.IO.Directory]::Delete("C:\Users\ada", $true)
robocopy empty C:\ /mir
Format-Volume -DriveLetter C
Clear-Disk -Number 0 -RemoveData
format c:
format D: /q
diskpart /s wipe.txt
Remove-Partition -DriveLetter C
vssadmin delete shadows /all /quiet
wbadmin delete catalog
wmic shadowcopy delete
cipher /w:C
Remove-Item -Recurse -Force D:\
takeown /f C:\Windows /r /t
icacls C:\ /grant everyone:F /t
Set-Content C:\Users\ada\AppData\Roaming\Countersign\rules.json '{}'
Remove-Item $env:APPDATA\Countersign\countersign.db
echo x > C:\Users\ada\AppData\Roaming\Countersign\rules.json
Out-File -FilePath "C:\Users\ada\AppData\Roaming\Countersign\rules.json"
[IO.File]::WriteAllText('C:\Users\ada\AppData\Roaming\Countersign\rules.json', 'x')
`);
