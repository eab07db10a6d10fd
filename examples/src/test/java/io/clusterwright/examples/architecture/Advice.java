package io.clusterwright.examples.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words that make texts hard to read, with what to write instead. */
record Advice(Pattern words, String instead) {
    /** Words that no text has. They are written in pieces, so that this file has no such word itself. */
    static final List<Advice> REFUSED = List.of(
            of("tol" + "d", "\"reported\", \"sent\" or \"wrote\": a program does not talk"),
            of("no" + "body", "the subject of the sentence, such as \"no user\""),
            of("who" + "m?ever", "\"the user who\", or the name of the role"),
            of("so ma" + "ny(?:eth)?", "the number"),
            of("in the w" + "ay", "\"blocks\" or \"prevents\""),
            of("what is le" + "ft", "\"the remaining nodes\", with the noun"),
            of("for a lo" + "ok", "\"to check\", with what is checked"),
            of("has (?:a|no) wo" + "rd for", "\"supports\" or \"does not support\""),
            of("ami" + "ss", "\"wrong\", with what is wrong"));

    /** Words whose number may only fall. */
    static final List<Advice> COUNTED = List.of(
            of("th(?:ose|at) of", "the noun again: \"the limit of the size\", not \"that of the size\""),
            of("those (?:that|which|who|whose)", "the noun again: \"the nodes that\", not \"those that\""),
            of("one (?:that|whose)", "the noun again: \"a node that\", not \"one that\""),
            of(
                    "(?:it|there|this|which|that|name) (?:is|are) none|(?:has|have) none",
                    "\"there is no record\" or \"without a record\", not \"there is none\""),
            of(
                    "so (?:is|are|does|do) (?:its|the|these|those|this|that|each|all)",
                    "a second sentence with its subject"),
            of("anew", "\"again\", or \"re-create\""),
            of("(?:come|comes|came) to (?:its|their|an) end", "\"finish\" or \"end\""),
            of("allowed (?:is|are)", "\"use …\", as in: invalid node name \"x\": use …"),
            of("log-ins?", "\"login\""));

    /**
     * The places in a text at which the words stand, each with its line and the advice.
     *
     * @param name of the file
     * @param text of the whole file
     * @param offset where the part begins in it
     */
    static List<String> find(List<Advice> all, String name, String text, int offset, String part) {
        List<String> found = new ArrayList<>();
        for (Advice advice : all) {
            Matcher words = advice.words.matcher(part);
            while (words.find()) {
                long line = text.substring(0, offset + words.start()).lines().count();
                found.add(name + ":" + Math.max(1, line) + ": \""
                        + words.group().replaceAll("\\s+", " ") + "\": write " + advice.instead);
            }
        }
        return found;
    }

    private static Advice of(String regex, String instead) {
        return new Advice(Pattern.compile("(?i)\\b(?:" + regex.replace(" ", "[\\s*]+") + ")\\b"), instead);
    }
}
