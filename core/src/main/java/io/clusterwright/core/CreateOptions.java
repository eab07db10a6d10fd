package io.clusterwright.core;

/**
 * How a cluster is created.
 *
 * @param keepOnFailure whether what was made is kept for a look when the creation fails; the default is to delete it
 * @param freshImage whether the image is made again although the recipe is unchanged; the default is to use it again
 * @param checks whether the checks that belong to a creation are run; the default is yes
 */
public record CreateOptions(boolean keepOnFailure, boolean freshImage, boolean checks) {
    /** Roll back on failure, use images again, run the checks. */
    public static final CreateOptions DEFAULT = new CreateOptions(false, false, true);

    /** These options, keeping what was made when the creation fails. */
    public CreateOptions keepingOnFailure() {
        return new CreateOptions(true, freshImage, checks);
    }

    /** These options, making the image again. */
    public CreateOptions withFreshImage() {
        return new CreateOptions(keepOnFailure, true, checks);
    }

    /** These options without the checks. */
    public CreateOptions withoutChecks() {
        return new CreateOptions(keepOnFailure, freshImage, false);
    }
}
