/** The table of programs that reach other machines: which of their subcommands stay here. All the others leave. */

/** How the words of one program are read. */
export type OutwardProgram = {
  /** What the program is for, as the card says it. */
  does: string;
  /**
   * Subcommands of one to three words, joined by spaces, that send nothing and change nothing elsewhere. A word may
   * end in `*`. What is not here leaves, also what a later version adds.
   */
  stays: readonly string[];
  /** Options in front of the subcommand that take a value. */
  valued?: readonly string[];
};

function list(text: string): string[] {
  return text.split(",").map((each) => each.trim());
}

const asking = "help,version,completion,--help,--version,-h";

function program(does: string, stays: string, valued = ""): OutwardProgram {
  return {
    does,
    stays: list(stays === "" ? asking : `${asking},${stays}`),
    valued: valued.split(" ").filter((each) => each !== ""),
  };
}

const packages = "publishes packages and changes accounts";
const containers = "sends images and acts on a registry or another machine";
const cluster = "acts on a cluster";
const cloud = "acts on a cloud account";
const deploys = "publishes or deploys";
const sends = "sends to another machine";
const messages = "sends messages to others";
const forge = "writes on a code forge or searches it";

const docker = program(
  containers,
  "ps,images,inspect,logs,info,build,run,exec,cp,stop,start,restart,pause,unpause,rm,rmi,kill,top,stats,events,diff,history,tag,save,load,export,import,pull,create,attach,wait,port,rename,update,commit,image ls,image list,image inspect,image build,image pull,image rm,image prune,image tag,image history,image save,image load,container *,network *,volume *,system *,builder *,buildx build,buildx bake,buildx ls,buildx inspect,buildx du,context ls,context show,context inspect,compose up,compose down,compose ps,compose logs,compose build,compose run,compose exec,compose config,compose pull,compose start,compose stop,compose restart,compose rm,compose images,compose top,compose ls,compose kill,compose create,compose version,machine ls",
);

const kubectl = program(
  cluster,
  "get,describe,logs,explain,api-resources,api-versions,cluster-info,top,diff,options,kustomize,events,wait,config view,config get-contexts,config current-context,config get-clusters,auth can-i,auth whoami,rollout status,rollout history,plugin list",
  "-n --namespace --context --cluster --kubeconfig",
);

const terraform = program(
  "changes the infrastructure that it describes",
  "plan,fmt,validate,init,show,output,graph,providers,get,state list,state show,workspace list,workspace show,test,metadata",
);

const gh = program(
  forge,
  "pr view,pr list,pr diff,pr status,pr checks,pr checkout,issue view,issue list,issue status,repo view,repo list,repo clone,run list,run view,run watch,run download,release list,release view,release download,workflow list,workflow view,gist list,gist view,label list,auth status,status,cache list,ruleset list,ruleset view,config get,config list,alias list,extension list",
  "-R --repo",
);

const heroku = program(cloud, "apps,logs,ps,config,info,releases,status,regions,stack,addons,auth:whoami");

/** Clouds whose words are an object and a verb. */
const accounts = program(cloud, "* list,* show,* get,* describe,* * list,* * show,* * get,* * describe");

const withReadings: Readonly<Record<string, OutwardProgram>> = {
  npm: program(
    packages,
    "install,i,in,ins,add,ci,clean-install,it,install-test,cit,remove,rm,r,un,unlink,uninstall,update,up,upgrade,udpate,dedupe,ddp,prune,rebuild,rb,run,run-script,rum,urn,test,t,tst,start,stop,restart,build,ls,list,la,ll,view,v,info,show,outdated,audit,fund,why,explain,exec,x,init,create,innit,pack,query,root,prefix,bin,help-search,explore,link,ln,config,c,get,set,cache,doctor,diff,edit,shrinkwrap,sbom,pkg,ping,version,-v",
    "-w --workspace --loglevel --silent",
  ),
  cargo: program(
    packages,
    "build,b,check,c,test,t,run,r,bench,doc,d,clean,clippy,fmt,fix,tree,metadata,update,add,remove,rm,init,new,vendor,fetch,generate-lockfile,locate-project,pkgid,report,rustc,rustdoc,verify-project,install,uninstall,package,nextest,expand,miri,audit,deny,llvm-cov,watch,machete,udeps,hack,make,xtask,tarpaulin,insta,criterion,info,config,-V,--list",
    "--color --manifest-path --config -Z -C",
  ),
  gem: program(
    packages,
    "build,list,install,uninstall,environment,env,info,contents,dependency,outdated,pristine,check,cleanup,specification,unpack,which,update,fetch,lock,rdoc,stale,sources",
  ),
  pip: program(
    packages,
    "install,uninstall,download,list,show,freeze,check,config,cache,index,wheel,hash,debug,inspect,-V",
  ),
  twine: program(packages, "check"),
  poetry: program(
    packages,
    "install,add,remove,update,lock,show,build,check,run,shell,env,init,new,cache,config,export,about,list,self,source,sync,debug,-V",
  ),
  uv: program(
    packages,
    "sync,add,remove,lock,run,pip,venv,tree,export,init,build,tool,python,cache,self,format,-V",
  ),
  pdm: program(
    packages,
    "install,add,remove,update,lock,list,run,build,show,info,sync,init,config,cache,export,fix,import,new,outdated,plugin,python,use,venv",
  ),
  hatch: program(
    packages,
    "build,run,env,test,fmt,shell,new,clean,config,dep,project,python,status,self,cache",
  ),
  flit: program(packages, "build,install,init"),
  maturin: program(packages, "build,develop,new,init,sdist,list-python,generate-ci"),
  nuget: program(packages, "restore,install,list,locals,pack,sources,spec,verify,config"),
  dotnet: program(
    packages,
    "build,run,test,restore,clean,add,remove,list,new,format,publish,msbuild,pack,sln,tool,watch,workload,store,vstest,build-server,reference,package,nuget locals,nuget list,--info,--list-sdks,--list-runtimes",
  ),
  // `lerna version` pushes what it tagged, unlike other programs' words for their version.
  lerna: {
    does: packages,
    stays: list(
      "run,exec,list,ls,bootstrap,changed,diff,clean,init,add,link,info,la,ll,help,--help,--version,-h",
    ),
  },
  changeset: program(packages, "add,version,status,init,pre"),
  vsce: program(packages, "package,ls,verify-pat"),
  pod: program(packages, "install,update,outdated,init,deintegrate,cache,env,list,lib lint,spec lint"),
  "standard-version": program(packages, "--dry-run"),
  goreleaser: program(packages, "check,build,healthcheck,init,jsonschema"),

  docker,
  podman: docker,
  nerdctl: docker,
  "docker-compose": program(
    containers,
    "up,down,ps,logs,build,run,exec,config,pull,start,stop,restart,rm,images,top,ls,kill,create",
    "-f --file -p --project-name",
  ),
  buildah: program(containers, "images,containers,build,bud,inspect,from,run,copy,add,info,pull,rm,rmi,tag"),
  skopeo: program(containers, "inspect,list-tags,manifest-digest"),
  oras: program(containers, "discover,pull,repo ls,repo tags"),
  crane: program(containers, "ls,digest,manifest,config,pull,export,catalog"),
  cosign: program(containers, "verify,tree,download,triangulate"),
  kubectl,
  oc: kubectl,
  k9s: program(cluster, "info"),
  helm: program(
    cluster,
    "list,ls,template,lint,show,status,get,history,env,dependency,dep,package,create,verify,pull,repo list,plugin list,search repo",
  ),
  kustomize: program(cluster, "build"),
  argocd: program(cluster, "app get,app list,app diff,app history,app logs"),
  flux: program(cluster, "get,check,logs,tree,stats"),
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  pulumi: program(terraform.does, "preview,about,whoami,logs,stack ls,stack output,plugin ls"),
  "ansible-playbook": program("changes other machines", "--syntax-check,--list-tasks,--list-hosts"),

  aws: program(
    cloud,
    "* describe-*,* list-*,* ls,s3 ls,configure list,* wait,* help",
    "--region --profile --output --query",
  ),
  gcloud: program(
    cloud,
    "info,* list,* * list,* describe,* * describe,config get-value,config get,auth list,topic",
    "--project --format --account",
  ),
  az: program(
    cloud,
    "* list,* show,* * list,* * show,find,interactive",
    "-o --output --query --subscription -g --resource-group",
  ),
  gsutil: program(cloud, "ls,du,stat,cat,version"),
  bq: program(cloud, "ls,show,head", "--project_id --format"),
  doctl: program(cloud, "* list,* get,* * list,* * get"),
  heroku,
  fly: program(cloud, "status,logs,info,apps list,releases,regions list,platform *,doctor"),
  flyctl: program(cloud, "status,logs,info,apps list,releases,regions list,platform *,doctor"),
  vercel: program(deploys, "ls,list,inspect,whoami,logs,dev,build,pull"),
  netlify: program(deploys, "status,dev,build,sites:list,logs"),
  wrangler: program(deploys, "dev,whoami,types,docs,tail,deployments list"),
  firebase: program(deploys, "emulators:start,emulators:exec,projects:list,apps:list,serve"),
  serverless: program(deploys, "info,package,print,offline,logs"),
  sls: program(deploys, "info,package,print,offline,logs"),
  cdk: program(deploys, "synth,synthesize,diff,ls,list,init,doctor,context,metadata,notices,docs"),
  sam: program(deploys, "build,validate,local *,init,list *,logs"),
  eksctl: program(cloud, "get *,info"),
  surge: program(deploys, "list,whoami"),
  eas: program(deploys, "build:list,build:view,whoami,config,diagnostics"),
  expo: program(deploys, "start,install,doctor,config,prebuild,run:android,run:ios,lint,customize"),
  fastlane: program(deploys, "lanes,list,actions,env"),
  railway: program(deploys, "status,logs,list,whoami,run,shell"),
  supabase: program(
    deploys,
    "start,stop,status,init,db diff,db lint,gen types,migration new,migration list,services",
  ),
  lhci: program(deploys, "collect,assert,open,healthcheck"),
  "sentry-cli": program(deploys, "info"),
  ko: program(containers, "deps"),
  skaffold: program(cluster, "render,diagnose,fix,init,schema"),
  tilt: program(cluster, "doctor"),
  minikube: program(cluster, "status,ip,logs,service list,profile list,addons list"),
  kind: program(cluster, "get clusters,get nodes"),
  k3d: program(cluster, "cluster list,node list"),
  tailscale: program("opens this machine to others", "status,ip,netcheck"),
  ngrok: program("opens this machine to the internet", "config check"),
  cloudflared: program("opens this machine to the internet", "tunnel list,tunnel info"),

  gh,
  glab: program(
    forge,
    "mr view,mr list,mr diff,mr checkout,issue view,issue list,repo view,repo list,repo clone,ci list,ci view,ci status,ci trace,ci lint,release list,release view,release download,label list,auth status,config get,alias list",
    "-R --repo",
  ),
  hub: program(forge, "issue show,pr list,pr show,pr checkout,ci-status,release show,browse"),
  tea: program(forge, "pulls list,issues list,repos list,releases list,whoami"),

  ssh: program("runs something on another machine", "-V,-Q"),
  rclone: program(sends, "ls,lsl,lsd,lsf,size,listremotes,check,config show,config file,about"),
  socat: program(sends, "-V"),
  nmap: program(sends, "-V"),
  mutt: program("sends mail", "-v"),

  altool: program("sends to Apple", "--list-apps,--list-providers"),
  notarytool: program("sends to Apple", "history,info,log,wait"),
  stapler: program("asks Apple about a program", "validate"),

  hg: program(
    sends,
    "status,st,diff,log,commit,ci,add,update,up,pull,summary,branch,branches,bookmarks,heads,annotate,blame,cat,files,root,id,identify,parents,tip,tags,paths,resolve,merge,graft,rename,remove,revert,shelve,unshelve,verify",
  ),
  svn: program(
    sends,
    "status,st,diff,di,log,info,update,up,list,ls,cat,blame,add,revert,cleanup,checkout,co,propget,pg,proplist,resolve",
  ),
  cvs: program(sends, "status,diff,log,update,annotate"),
  p4: program(sends, "info,opened,diff,changes,describe,sync,filelog,files,have,where,print"),
  jj: program(
    sends,
    "st,status,log,diff,show,new,describe,desc,commit,squash,rebase,edit,abandon,bookmark list,git fetch,op log,file list,undo",
  ),
  restic: program(sends, "snapshots,ls,find,stats,check,list,diff"),
  borg: program(sends, "list,info,check,diff"),
  wandb: program(sends, "status,offline,disabled"),
  snyk: program(sends, "config"),
  kaggle: program(sends, "competitions list,datasets list,kernels list"),
  nats: program(sends, "sub,subscribe,account info,server info,context ls"),
  etcdctl: program(cluster, "get,member list,endpoint health,endpoint status"),
  consul: program(cluster, "members,info,kv get,catalog nodes,catalog services,validate"),
  nomad: program(cluster, "status,job status,node status,validate,fmt,plan"),
  packer: program(cloud, "validate,fmt,inspect,init,console,plugins"),
  s3cmd: program(cloud, "ls,la,info,du,get"),
  b2: program(cloud, "ls,list-buckets,get-bucket,get-file-info"),
  azcopy: program(cloud, "list,jobs list,env"),
  ipfs: program(sends, "cat,ls,id,stats,version,repo stat"),
  ab: program(sends, "-V"),
  wrk: program(sends, "-v"),
  k6: program(sends, "inspect,archive"),
  "signal-cli": program(sends, "listContacts,listGroups"),
  slack: program(sends, "list"),
  ntfy: program(sends, "subscribe,sub"),
  jira: program(forge, "issue list,issue view,project list,board list,sprint list,me"),
  linear: program(forge, "issue list,issue view"),

  dig: program("looks a name up", "-v"),
  host: program("looks a name up", "-V"),
  resolvectl: program("looks a name up", "status,statistics"),
  azd: program(cloud, "show,env list,config show"),
  helmfile: program(cluster, "list,template,lint,diff,build,deps,status,write-values"),
  openstack: accounts,
  hcloud: accounts,
  scw: accounts,
  oci: accounts,
  ibmcloud: accounts,
  aliyun: accounts,
  tccli: accounts,
  exo: accounts,
  civo: accounts,
  koyeb: accounts,
  scalingo: accounts,
  "linode-cli": accounts,
  "vultr-cli": accounts,
  vault: program("writes to a server of secrets", "status,read,list,kv get,kv list,print"),
  regctl: program(containers, "tag ls,manifest get,image inspect,image digest"),
  dzil: program(packages, "build,test,clean,new,listdeps,run,smoke"),
  osc: program(sends, "status,diff,log,info,ls,cat"),
  fossil: program(
    sends,
    "status,diff,timeline,ls,finfo,info,cat,open,close,add,rm,mv,undo,stash,extras,branch list,tag list",
  ),
  hexo: program(deploys, "generate,g,server,s,new,n,init,clean,list"),
  zappa: program(deploys, "status,tail,package,init"),
  now: program(deploys, "ls,logs,inspect"),
  getent: program("may look a name up", "group,passwd,protocols,rpc,services,shells"),
};

/** Programs of which nothing but asking for help stays here, by what they do. */
const wholly: readonly [does: string, names: string][] = [
  [
    packages,
    "bumpp auto release-it semantic-release np ovsx cpan-upload dput dupload koji copr-cli bodhi fedpkg rhpkg",
  ],
  [containers, "notation"],
  [
    cluster,
    "hdfs hadoop spark-submit beeline hive impala-shell presto trino snowsql snow databricks zkCli.sh zookeeper-shell",
  ],
  [cloud, "stripe twilio"],
  [
    deploys,
    "gh-pages codecov codecovcli coveralls sonar-scanner chromatic percy argos knapsack-pro datadog-ci dokku newrelic",
  ],
  [
    "changes other machines",
    "ansible ansible-pull salt salt-ssh knife pyinfra colmena nixops nix-copy-closure pdsh clush dsh pssh parallel-ssh rdist cssh",
  ],
  ["opens this machine to the internet", "localtunnel lt tmate chisel frpc pagekite inlets telebit"],
  ["joins this machine to another network", "sshuttle openvpn wg-quick zerotier-cli"],
  [
    "runs something on another machine",
    "slogin autossh sshpass mosh rsh plink dbclient tsh vncviewer rdesktop xfreerdp remmina x2goclient virt-viewer rpcclient",
  ],
  [
    sends,
    "scp sftp ssh-copy-id croc wormhole magic transfer telnet ftp lftp ncftp ncftpput tftp nc ncat netcat amqp-publish snmptrap snmpset uucp fping hping3 httping siege vegeta bore zrok mosquitto_pub kcat websocat wscat grpcurl hey telegram-send kafka-console-producer kafkacat",
  ],
  [
    sends,
    "rcp bbcp bbftp globus ascp gsiscp pscp psftp pslurp curlftpfs cadaver s4cmd megaput mega-put megacopy nextcloudcmd owncloudcmd onedrive rdiff-backup duplicity duply unison syncthing syncoid lsyncd csync2 mutagen nncp-file qrcp webwormhole onionshare onionshare-cli multicat udpcast udp-sender uftp smbclient smbget tarsnap duplicacy",
  ],
  [
    sends,
    "gist gist-paste pastebinit pastebin nopaste wgetpaste haste hastebin termbin imgur transfer.sh ffsend",
  ],
  [
    sends,
    "wol wakeonlan etherwake ether-wake arping arp-scan tcpreplay iperf iperf3 netperf nuttcp qperf nping hping masscan zmap rustscan nikto sqlmap gobuster ffuf feroxbuster hydra medusa ncrack patator dirb wfuzz nuclei amass subfinder assetfinder curlie hurl newman bru artillery locust oha bombardier wrk2 autocannon loadtest",
  ],
  [
    sends,
    "ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapcompare ldapwhoami snmpget snmpgetnext snmpwalk snmpbulkget snmpbulkwalk snmpinform redis-benchmark memtier_benchmark memcstat memcached-tool mosquitto_sub mosquitto_rr mqtt mqttx pulsar-client stomp nats-pub nats-req to_nsq amqp-consume amqp-get amqp-declare-queue amqp-delete-queue kaf rpk zabbix_sender send_nsca send_nrdp otel-cli logcli amtool",
  ],
  [
    "sends mail",
    "mail mailx sendmail msmtp swaks ssmtp nail s-nail mpack smtp-cli xdg-email neomutt aerc alpine sendEmail sendemail nullmailer-inject exim exim4 qmail-inject postdrop mailto",
  ],
  ["writes into the log of this or another machine", "logger"],
  [
    messages,
    "write wall irssi weechat sendxmpp apprise slackcat matrix-commander pushover finch profanity poezio mcabber telegram-cli toot twurl rainbowstream bsky zulip-send ii sic epic5 slack-cli gammu kdeconnect-cli",
  ],
  ["sends to Apple", "iTMSTransporter"],
  ["prints on paper elsewhere", "lp lpr"],
  [
    "looks a name up and sends to it",
    "ssh-keyscan ping traceroute tracepath mtr ntpdate sntp rdate lft tcptraceroute tcpping paping echoping rdisc6",
  ],
  [
    "looks a name up",
    "nslookup drill kdig delv dnstracer mdig adig dog doggo dnsx systemd-resolve avahi-resolve avahi-publish dns-sd nsupdate",
  ],
  ["sends a query", "whois finger ddgr googler"],
];

/** Keyed by the program's name. */
export const outwardPrograms: Readonly<Record<string, OutwardProgram>> = {
  ...Object.fromEntries(
    wholly.flatMap(([does, names]) => names.split(" ").map((name) => [name, program(does, "")])),
  ),
  ...withReadings,
};

const aliases: Record<string, string> = {
  pip3: "pip",
  ping6: "ping",
  traceroute6: "traceroute",
  "ncat.traditional": "nc",
  "nc.openbsd": "nc",
};

/** How a program reaches other machines, or undefined for one that is not known to. */
export function findOutwardProgram(name: string): OutwardProgram | undefined {
  const known = Object.hasOwn(aliases, name) ? aliases[name]! : name;
  return Object.hasOwn(outwardPrograms, known) ? outwardPrograms[known] : undefined;
}
