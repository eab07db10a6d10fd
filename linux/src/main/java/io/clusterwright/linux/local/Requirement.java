package io.clusterwright.linux.local;

/**
 * A property of this machine that local nodes need. Use it to tell a user what to install, or to skip a test.
 *
 * <pre>{@code
 * for (Requirement requirement : LocalMachines.requirements()) {
 *     if (!requirement.met()) {
 *         System.out.println(requirement.check() + ": " + requirement.detail() + "; " + requirement.remedy());
 *     }
 * }
 * }</pre>
 *
 * @param check what was looked at, in a few words
 * @param met whether the machine has it
 * @param detail what was found
 * @param remedy what to install or change; empty when it is met
 * @param code the code of the finding that a plan has when it is not met
 */
public record Requirement(String check, boolean met, String detail, String remedy, String code) {}
