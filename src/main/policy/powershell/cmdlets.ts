/** The cmdlets that can be read, what each of their parameters takes, and the short names they go by. */

/**
 * What a parameter takes: nothing (`switch`), a file or folder (`path`), a pattern for names in the same folder
 * (`filter`), a number, one of a few words, the name of a property, of a command (`name`), or text that is only compared
 * or printed.
 */
export type ParameterKind =
  | "switch"
  | "path"
  | "filter"
  | "number"
  | "text"
  | "property"
  | "name"
  | { oneOf: string[] };

/** What a cmdlet hands on: files, lines or objects of files, other data, or nothing that follows may read. */
export type Cmdlet = {
  parameters: Record<string, ParameterKind>;
  positions: string[];
  /** `lists` names of files, `reads` their content, `shapes` what comes to it, `tells` about the system, `writes`. */
  does: "lists" | "reads" | "shapes" | "tells" | "writes";
  /** Parameters without which nothing can be said, such as the file that a reader reads. */
  needs?: string[];
};

const encoding: ParameterKind = {
  oneOf: "ascii ansi oem unicode utf7 utf8 utf8bom utf8nobom utf32 bigendianunicode default string".split(
    " ",
  ),
};
const common: Record<string, ParameterKind> = {
  erroraction: { oneOf: ["silentlycontinue", "ignore", "stop", "continue"] },
  ea: { oneOf: ["silentlycontinue", "ignore", "stop", "continue"] },
};
const place: Record<string, ParameterKind> = { path: "path", literalpath: "path", pspath: "path" };
const narrowed: Record<string, ParameterKind> = { filter: "filter", include: "filter", exclude: "filter" };

function cmdlet(
  does: Cmdlet["does"],
  positions: string,
  parameters: Record<string, ParameterKind>,
  needs?: string,
): Cmdlet {
  const split = (names: string) => names.split(" ").filter((each) => each !== "");
  return {
    does,
    positions: split(positions),
    parameters: { ...common, ...parameters },
    ...(needs && { needs: split(needs) }),
  };
}

const cmdlets: Record<string, Cmdlet> = {
  "get-childitem": cmdlet("lists", "path filter", {
    ...place,
    ...narrowed,
    recurse: "switch",
    r: "switch",
    s: "switch",
    depth: "number",
    force: "switch",
    name: "switch",
    file: "switch",
    af: "switch",
    directory: "switch",
    ad: "switch",
    d: "switch",
    hidden: "switch",
    ah: "switch",
    readonly: "switch",
  }),
  "get-item": cmdlet("lists", "path", { ...place, ...narrowed, force: "switch" }, "path"),
  "test-path": cmdlet(
    "tells",
    "path",
    { ...place, pathtype: { oneOf: ["any", "container", "leaf"] } },
    "path",
  ),
  "resolve-path": cmdlet("lists", "path", { ...place, relative: "switch" }, "path"),
  "split-path": cmdlet("tells", "path", {
    path: "path",
    literalpath: "path",
    parent: "switch",
    leaf: "switch",
    leafbase: "switch",
    extension: "switch",
    isabsolute: "switch",
  }),
  "join-path": cmdlet("tells", "path childpath", { path: "path", childpath: "path" }, "path childpath"),
  "get-content": cmdlet(
    "reads",
    "path",
    {
      ...place,
      totalcount: "number",
      first: "number",
      head: "number",
      tail: "number",
      last: "number",
      readcount: "number",
      raw: "switch",
      force: "switch",
      encoding,
      delimiter: "text",
    },
    "path",
  ),
  "select-string": cmdlet(
    "reads",
    "pattern path",
    {
      ...place,
      ...narrowed,
      pattern: "text",
      simplematch: "switch",
      casesensitive: "switch",
      list: "switch",
      quiet: "switch",
      notmatch: "switch",
      allmatches: "switch",
      raw: "switch",
      noemphasis: "switch",
      context: "number",
      encoding,
    },
    "pattern",
  ),
  "get-filehash": cmdlet(
    "tells",
    "path",
    { ...place, algorithm: { oneOf: ["sha1", "sha256", "sha384", "sha512", "md5"] } },
    "path",
  ),
  "format-hex": cmdlet("reads", "path", { ...place, count: "number", offset: "number", encoding }, "path"),
  "import-csv": cmdlet(
    "reads",
    "path",
    { ...place, delimiter: "text", header: "property", encoding },
    "path",
  ),
  "measure-object": cmdlet("shapes", "property", {
    property: "property",
    line: "switch",
    word: "switch",
    character: "switch",
    sum: "switch",
    average: "switch",
    maximum: "switch",
    minimum: "switch",
    allstats: "switch",
    ignorewhitespace: "switch",
  }),
  "sort-object": cmdlet("shapes", "property", {
    property: "property",
    descending: "switch",
    unique: "switch",
    casesensitive: "switch",
    stable: "switch",
    top: "number",
    bottom: "number",
  }),
  "select-object": cmdlet("shapes", "property", {
    property: "property",
    expandproperty: "property",
    first: "number",
    last: "number",
    skip: "number",
    skiplast: "number",
    index: "number",
    unique: "switch",
  }),
  "group-object": cmdlet("shapes", "property", {
    property: "property",
    noelement: "switch",
    casesensitive: "switch",
  }),
  "where-object": cmdlet(
    "shapes",
    "property value",
    {
      property: "property",
      value: "text",
      ...Object.fromEntries(
        "eq ne gt ge lt le like notlike match notmatch contains notcontains in notin ceq cne clike cmatch"
          .split(" ")
          .map((operator): [string, ParameterKind] => [operator, "text"]),
      ),
    },
    "property",
  ),
  "format-table": cmdlet("shapes", "property", {
    property: "property",
    autosize: "switch",
    hidetableheaders: "switch",
    wrap: "switch",
    groupby: "property",
  }),
  "format-list": cmdlet("shapes", "property", { property: "property", groupby: "property" }),
  "format-wide": cmdlet("shapes", "property", { property: "property", column: "number", autosize: "switch" }),
  "out-string": cmdlet("shapes", "", { width: "number", stream: "switch" }),
  "out-null": cmdlet("shapes", "", {}),
  "convertfrom-json": cmdlet("shapes", "", { depth: "number", ashashtable: "switch" }),
  "convertto-json": cmdlet("shapes", "", { depth: "number", compress: "switch" }),
  "get-date": cmdlet("tells", "", { format: "text", uformat: "text", asutc: "switch" }),
  "get-location": cmdlet("tells", "", {}),
  "set-location": cmdlet("tells", "path", place),
  "get-host": cmdlet("tells", "", {}),
  "get-culture": cmdlet("tells", "", {}),
  "get-command": cmdlet("tells", "name", { name: "name", all: "switch", syntax: "switch" }),
  "get-alias": cmdlet("tells", "name", { name: "name", definition: "name" }),
  "get-process": cmdlet("tells", "name", { name: "name", id: "number" }),
  "write-output": cmdlet("tells", "inputobject", { inputobject: "text", noenumerate: "switch" }),
  "write-host": cmdlet("tells", "object", { object: "text", nonewline: "switch" }),
  "new-item": cmdlet(
    "writes",
    "path",
    {
      path: "path",
      name: "path",
      itemtype: { oneOf: ["file", "directory"] },
      type: { oneOf: ["file", "directory"] },
      value: "text",
      force: "switch",
    },
    "path",
  ),
  "set-content": cmdlet(
    "writes",
    "path value",
    { ...place, value: "text", encoding, nonewline: "switch" },
    "path",
  ),
  "add-content": cmdlet(
    "writes",
    "path value",
    { ...place, value: "text", encoding, nonewline: "switch" },
    "path",
  ),
  "clear-content": cmdlet("writes", "path", place, "path"),
  "out-file": cmdlet(
    "writes",
    "filepath",
    { filepath: "path", literalpath: "path", append: "switch", encoding },
    "filepath",
  ),
  "copy-item": cmdlet(
    "writes",
    "path destination",
    { ...place, destination: "path", recurse: "switch", force: "switch" },
    "path destination",
  ),
  "move-item": cmdlet("writes", "path destination", { ...place, destination: "path" }, "path destination"),
  "rename-item": cmdlet("writes", "path newname", { ...place, newname: "path" }, "path newname"),
  "remove-item": cmdlet("writes", "path", { ...place }, "path"),
};

const aliases: Record<string, string> = Object.fromEntries(
  (
    "ls dir gci:get-childitem|gi:get-item|rvpa:resolve-path|cat gc type:get-content|sls:select-string|fhx:format-hex|" +
    "ipcsv:import-csv|measure:measure-object|sort:sort-object|select:select-object|group:group-object|" +
    "where:where-object|ft:format-table|fl:format-list|fw:format-wide|fc:format-custom|oh:out-host|pwd gl:get-location|" +
    "cd chdir sl:set-location|gcm:get-command|gal:get-alias|ps gps:get-process|echo write:write-output|ni:new-item|" +
    "sc:set-content|ac:add-content|clc:clear-content|cp copy cpi:copy-item|mv move mi:move-item|ren rni:rename-item|" +
    "rm ri del erase rd rmdir:remove-item|tee:tee-object|iex:invoke-expression|iwr curl wget:invoke-webrequest|" +
    "irm:invoke-restmethod|icm:invoke-command|foreach:foreach-object|diff compare:compare-object|start saps:start-process|" +
    "kill spps:stop-process|gm:get-member|gu:get-unique|gv:get-variable|sv set:set-variable|nv:new-variable|" +
    "clv:clear-variable|rv:remove-variable|sal:set-alias|nal:new-alias|epal:export-alias|ipal:import-alias|" +
    "ipmo:import-module|gmo:get-module|rmo:remove-module|nmo:new-module|inmo:install-module|pumo:publish-module|" +
    "gp:get-itemproperty|gpv:get-itempropertyvalue|sp:set-itemproperty|rp:remove-itemproperty|clp:clear-itemproperty|" +
    "cpp:copy-itemproperty|mp:move-itemproperty|rnp:rename-itemproperty|si:set-item|cli:clear-item|ii:invoke-item|" +
    "cvpa:convert-path|gwmi:get-wmiobject|iwmi:invoke-wmimethod|swmi:set-wmiinstance|rwmi:remove-wmiobject|" +
    "gcim:get-ciminstance|icim:invoke-cimmethod|ncim:new-ciminstance|rcim:remove-ciminstance|scim:set-ciminstance|" +
    "gcb:get-clipboard|scb:set-clipboard|h history ghy:get-history|clhy:clear-history|r ihy:invoke-history|" +
    "man help:help|more:more|mount ndr:new-psdrive|gdr:get-psdrive|rdr:remove-psdrive|popd:pop-location|" +
    "pushd:push-location|cls clear:clear-host|lp:out-printer|ogv:out-gridview|sleep:start-sleep|epcsv:export-csv|" +
    "gsv:get-service|sasv:start-service|spsv:stop-service|gjb:get-job|sajb:start-job|spjb:stop-job|rjb:remove-job|" +
    "rcjb:receive-job|wjb:wait-job|sujb:suspend-job|rujb:resume-job|gsn:get-pssession|nsn:new-pssession|" +
    "rsn:remove-pssession|rcsn:receive-pssession|cnsn:connect-pssession|dnsn:disconnect-pssession|etsn:enter-pssession|" +
    "exsn:exit-pssession|epsn:export-pssession|ipsn:import-pssession|npssc:new-pssessionconfigurationfile|" +
    "asnp:add-pssnapin|gsnp:get-pssnapin|rsnp:remove-pssnapin|gbp:get-psbreakpoint|sbp:set-psbreakpoint|" +
    "rbp:remove-psbreakpoint|ebp:enable-psbreakpoint|dbp:disable-psbreakpoint|gcs:get-pscallstack|gerr:get-error|" +
    "gin:get-computerinfo|gtz:get-timezone|stz:set-timezone|shcm:show-command|trcm:trace-command|ivm:invoke-method|" +
    "tnc:test-netconnection|gip:get-netipconfiguration|fimo:find-module|upmo:update-module|cfs:convertfrom-string|ise psedit:powershell_ise|pause:pause|oss:oss|prompt:prompt|tabexpansion2:tabexpansion2"
  )
    .split("|")
    .flatMap((line) => {
      const [names, full] = line.split(":") as [string, string];
      return names.split(" ").map((each) => [each, full]);
    }),
);

/** The full name behind a name or alias, and what is known of that cmdlet; undefined for a program. */
export function findCmdlet(name: string): { name: string; known: Cmdlet | undefined } | undefined {
  const isAlias = Object.hasOwn(aliases, name);
  const full = isAlias ? aliases[name]! : name;
  const known = Object.hasOwn(cmdlets, full) ? cmdlets[full] : undefined;
  // Verb-Noun is the form of cmdlets and functions; whatever module brings it, it is no program.
  const isCmdlet = known !== undefined || isAlias || /^[a-z]+-[a-z]/.test(full);
  return isCmdlet ? { name: full, known } : undefined;
}
