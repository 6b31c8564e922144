// A block of the text: runs of words, some of them marked. Drawn without a template, because a
// long document has thousands of runs.

import { defineComponent, h, type PropType, type VNode } from "vue";

import { useWords } from "../words";
import type { CommentView } from "./comments";
import { READER, UNCOUNTED, type Block, type Run } from "./drawing";
import { kindOf, uncountedPart } from "./kinds";
import { calledOf } from "./names";
import { useReader } from "./reader";
import { flowingOf, harmless } from "./text";

export default defineComponent({
  props: {
    block: { type: Object as PropType<Block>, required: true },
    runs: { type: Array as PropType<readonly Run[]>, required: true },
  },
  setup(props) {
    const words = useWords();
    const { view, tricks, comments, folds, unfolded } = useReader();
    const notes = new Map(tricks);
    const stretch = flowingOf(view.document)!;

    function button(index: number): VNode {
      const passage = view.passages[index]!;
      const { source, kind, counts, pages_a, number } = passage;
      const name = harmless(calledOf(view.sources[source]!.text, words.value));
      const label = [
        number === null ? "" : words.value.say("passage.one", { n: number }),
        `${words.value.say("sources.source")} ${source + 1}`,
        name.length > 80 ? `${name.slice(0, 80)}…` : name,
        kindOf(words.value, passage),
        counts ? uncountedPart(words.value, kind, view.count) : "",
        words.value.pages(pages_a),
      ];
      return h(
        "button",
        {
          type: "button",
          class: `number source-${source % 12}`,
          "data-p": index,
          "aria-label": label.filter(Boolean).join(", "),
        },
        [h("sup", { "aria-hidden": true }, String(source + 1))],
      );
    }

    function drawn(run: Run): (VNode | string)[] {
      const text = harmless(stretch.slice(run.start, run.end));
      const { passage, exclusion, trick } = run;
      if (passage < 0 && exclusion === -1 && trick < 0) return [text];
      const classes: string[] = [];
      const said: string[] = [];
      if (passage >= 0) {
        const { source, kind, counts } = view.passages[passage]!;
        classes.push("passage", `source-${source % 12}`, counts ? `is-${kind}` : "is-fragment");
      }
      if (exclusion !== -1) {
        const reason = exclusion === READER ? "reader" : view.exclusions[exclusion]?.reason;
        classes.push(reason === "quotation" ? "is-quoted" : "is-excluded");
        const key = exclusion === UNCOUNTED ? "wording.not_counted" : `reason.${reason}`;
        said.push(words.value.say(key));
      }
      if (trick >= 0) {
        classes.push("is-trick");
        said.push(words.value.say(`note.${notes.get(trick)!.kind}`));
      }
      const attributes = {
        class: classes.join(" "),
        "data-p": passage >= 0 ? passage : undefined,
        "data-at": run.start,
        "data-reason": run.excludes ? said[0] : undefined,
        title: said.length ? said.join("; ") : undefined,
      };
      const mark = h(passage >= 0 ? "mark" : "span", attributes, text);
      return run.begins ? [button(passage), mark] : [mark];
    }

    /** A mark in the margin, beside the line in which what is commented on begins. */
    function commentMark({ id, by }: CommentView): VNode {
      const label = words.value.say("comments.mark", { by: harmless(by) });
      const bubble = "M2 2h12v9H7l-3 3v-3H2z";
      return h(
        "button",
        { type: "button", class: "comment-mark", "data-comment": id, "aria-label": label, title: label },
        [h("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, [h("path", { d: bubble })])],
      );
    }

    /** Runs, with the comments that begin in them. */
    function withComments(runs: readonly Run[]): (VNode | string)[] {
      const here = comments.value.filter(
        ({ span: [start] }) => props.block.start <= start && start < props.block.end,
      );
      if (!here.length) return runs.flatMap(drawn);
      return runs.flatMap((run) => [
        ...here.filter(({ span: [start] }) => run.start <= start && start < run.end).map(commentMark),
        ...drawn(run),
      ]);
    }

    /** A long stretch that does not count: a line that unfolds it, as a search in the page does. */
    function folded(fold: number, runs: readonly Run[]): VNode {
      const { start, end, reason } = folds[fold]!;
      const isOpen = unfolded.value.has(fold);
      const characters = words.value.say("count.characters", { n: end - start });
      const said = { reason: words.value.say(`reason.${reason}`), characters };
      const attributes = {
        type: "button",
        class: "fold-button",
        dir: "auto",
        "data-fold": fold,
        "aria-expanded": isOpen ? "true" : "false",
      };
      return h("div", { class: "fold", key: `fold-${fold}` }, [
        h("button", attributes, words.value.say("text.folded", said)),
        h(
          "div",
          { class: "folded", hidden: isOpen ? false : "until-found", "data-fold-text": fold },
          withComments(runs),
        ),
      ]);
    }

    /** Runs in order, those of a fold together. */
    function inFolds(runs: readonly Run[]): (VNode | string)[] {
      const { start, end } = props.block;
      if (!folds.some((fold) => fold.start < end && start < fold.end)) return withComments(runs);
      const parts: (VNode | string)[] = [];
      for (let i = 0; i < runs.length; ) {
        const at = foldAt(runs[i]!);
        let j = i + 1;
        while (j < runs.length && foldAt(runs[j]!) === at) j++;
        const some = runs.slice(i, j);
        if (at < 0) parts.push(...withComments(some));
        else parts.push(folded(at, some));
        i = j;
      }
      return parts;
    }

    const foldAt = (run: Run) =>
      folds.findIndex(({ start, end }) => start <= run.start && run.start < end);

    return () => {
      const { page } = props.block;
      const margin = page === null ? [] : [h("span", { class: "page-mark" }, mark(page))];
      return h("div", { class: "block", dir: "auto" }, [...margin, ...inFolds(props.runs)]);
    };

    function mark(page: number): string {
      return words.value.say("page.one", { n: page });
    }
  },
});
