package io.clusterwright.windows.internal.rest;

import java.util.List;
import java.util.Map;

/** The bodies of requests and answers in the form of one generation: JSON or XML. */
interface AnswerForm {
    /** The content type of requests. */
    String type();

    /** A body of names and values. */
    String write(Map<String, String> properties);

    /** A body of one text. */
    String write(String text);

    /** The number that is an answer. */
    int number(HeadNodeRequest request, HeadNodeHttp.Answer answer);

    /** The names and values that are an answer. */
    HeadNodeRow properties(HeadNodeRequest request, HeadNodeHttp.Answer answer);

    /** The rows of an answer, each with its names and values. */
    List<HeadNodeRow> rows(HeadNodeRequest request, HeadNodeHttp.Answer answer);

    /** The texts that are an answer. */
    List<String> texts(HeadNodeRequest request, HeadNodeHttp.Answer answer);
}
