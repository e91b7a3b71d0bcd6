/** Something to be told that is no failure: a broken rule, an ignored setting, a repaired log. */
export interface Notice {
  type: "notice";
  level: "info" | "warning";
  code: string;
  message: string;
}
