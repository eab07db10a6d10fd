package io.clusterwright.linux.internal.packages;

import java.util.ArrayList;
import java.util.List;

/** Commands that all distributions with RPM packages share. */
public sealed interface Rpm extends PackageManager permits Zypper, Dnf {
    /** Every package of a kernel is called so, on every distribution with RPM. */
    String KERNEL = "kernel*";

    @Override
    default List<String> listKernels() {
        return List.of("rpm", "-qa", "--qf", "%{NAME} %{VERSION}-%{RELEASE}.%{ARCH}\\n", KERNEL);
    }

    @Override
    default List<String> parseKernels(String answer) {
        return answer.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("kernel"))
                .sorted()
                .toList();
    }

    /** As the article of 2017 does it for the packages that lie on an HPC image. */
    @Override
    default List<String> installFiles(List<String> files) {
        return with(List.of("rpm", "-v", "-i", "--nodeps"), files);
    }

    @Override
    default List<String> listInstalled(List<String> packages) {
        return with(List.of("rpm", "-q", "--qf", "%{NAME}\\n", "--"), packages);
    }

    /** A package that is not installed is reported in a sentence. */
    @Override
    default List<String> parseInstalled(String answer) {
        return answer.lines()
                .map(String::strip)
                .filter(line -> !line.contains(" "))
                .toList();
    }

    static boolean isKernel(String packageName) {
        return packageName.startsWith("kernel");
    }

    static List<String> with(List<String> words, List<String> more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(more);
        return List.copyOf(all);
    }
}
