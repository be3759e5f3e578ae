/**
 * The words that stored texts begin alike with: what a packed text shares with them is not stored again. Texts in
 * databases are packed against exactly these bytes, so they never change; better words would be a second dictionary.
 */
export const packingDictionary = [
  // Verdicts and the question about a call.
  `"class":"network","publish","credentials","irreversible","system","sandbox":"bounds","verdict":"deny","verdict":"ask","verdict":"safe","reason":" only reads here."`,
  `{"kind":"free","readPath":"/home/{"kind":"run"}{"kind":"refuse","reason":"`,
  `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"file_path":{"type":"string","description":"Absolute path where the file should be written. Must be absolute, not relative."},"content":{"type":"string","description":"The text content to write to the file. This parameter is required."}},"required":["file_path","content"],"additionalProperties":false}`,
  `{"type":"string","description":"The absolute path to the file to edit. Must be absolute, not relative."},"old_string":{"type":"string","description":""},"new_string":{"type":"string"},"replace_all":{"type":"boolean"}`,
  `,"allowed":["approve","edit","reject","respond"],"argsSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"command":{"type":"string","description":"The shell command to execute"}},"required":["command"],"additionalProperties":false},"always":false,"verdict":{"verdict":"new","units":[{"text":"`,
  `,"baseHash":"absent /`,
  `,"width":"outside","width":"inside","origins":[]}`,
  `{"kind":"ask","risk":"high","risk":"low","risk":"medium","subject":{"kind":"file","operation":"edit","operation":"write","path":"","added":1,"removed":0,"stale":false},"shape":"write_file {"kind":"command","command":"","cwd":"/home/`,
  // Messages and steps of the agents' memory.
  `{"v":4,"id":"","ts":"2026-","channel_values":{"messages":{"~":["s",[[1,`,
  `"channel_versions":{"__start__":,"todos":,"branch:to:FilesystemMiddleware.before_agent":,"branch:to:patchToolCallsMiddleware.before_agent":,"branch:to:ModelCallLimitMiddleware.before_model":,"branch:to:model_request":,"branch:to:ModelCallLimitMiddleware.after_model":,"branch:to:todoListMiddleware.after_model":,"__pregel_tasks":,"branch:to:ModelCallLimitMiddleware.after_agent":},"versions_seen":{"__input__":{},"__start__":{`,
  `{"messages":{"~":["s",[[1,]]]},"jumpTo":{"lc":2,"type":"undefined"},"files":{},"_summarizationSessionId":{"lc":2,"type":"undefined"},"_summarizationEvent":{"lc":2,"type":"undefined"},"todos":[],"threadModelCallCount":,"runModelCallCount":,"lg_tool_call":{"type":"tool_call","id":"","name":"write_file","args":{"file_path":"","content":"`,
  `{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"","id":"msg-","additional_kwargs":{},"response_metadata":{}}}`,
  `{"lc":1,"type":"constructor","id":["langchain_core","messages","ToolMessage"],"kwargs":{"status":"success","content":"","tool_call_id":"call_","name":"execute","metadata":{"lc":2,"type":"undefined"},"additional_kwargs":{},"response_metadata":{},"id":"run--tool-call_`,
  `{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"id":"thread-:","name":"countersign","content":"","tool_calls":[{"type":"tool_call","id":"toolu_01","name":"read_file","args":{"file_path":"","limit":,"offset":,"pattern":""}}],"response_metadata":{"model_name":"claude-gpt-","model_provider":"anthropic","openai","finish_reason":"tool_calls"},"usage_metadata":{"input_tokens":,"output_tokens":,"total_tokens":,"input_token_details":{"cache_read":,"cache_creation":},"output_token_details":{"reasoning":}},"additional_kwargs":{},"invalid_tool_calls":[]}}`,
  // Events.
  `{"type":"turn.finished","turnId":"turn-","outcome":"done"}{"type":"message.sent","turnId":"turn-","text":"","attachments":[],"queued":false}{"type":"plan.changed","todos":[{"content":"","status":"in_progress","completed","pending"}]}`,
  `{"type":"message.finished","turnId":"turn-","agentPath":[],"text":"","model":{"provider":"anthropic","model":"claude-"},"usage":{"inputTokens":,"outputTokens":,"cacheRead":,"cacheWrite":},"partial":false}`,
  `{"type":"toolCall.finished","outcome":"ok","outcome":"failed","outcome":"rejected","result":"Successfully wrote to '","receipt":{"path":"","added":1,"removed":0,"executionId":"exec-","durationMs":}}@@ lines 1-100 of \\n\\n[Command succeeded with exit code 0]","receipt":{"exitCode":0,"bytes":,"truncated":false,"executionId":"exec-","durationMs":}}`,
  `{"type":"execution.started","executionId":"exec-","width":"outside"}`,
  `{"type":"approval.decided","approvalId":"0000000000-appr-","decision":{"type":"approve"},"by":{"kind":"person"}}`,
  `{"type":"approval.requested","approvalId":"0000000000-appr-","verdict":{"verdict":"new","units":[{"text":"write ","at":0,"verdict":"new","reason":"No rule covers it."}]}}`,
  `{"type":"toolCall.requested","turnId":"turn-","agentPath":[],"toolCallId":"call_","tool":"execute","args":{"command":"`,
].join("");
