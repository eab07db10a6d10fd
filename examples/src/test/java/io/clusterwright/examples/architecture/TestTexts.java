package io.clusterwright.examples.architecture;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The texts and numbers that a test uses: its own, its annotations', and those of the constants and methods of test classes that it names. */
final class TestTexts {
    private static final String GAP = "\u0000";

    private final Map<String, List<Path>> files = new HashMap<>();
    private final Map<Path, Map<String, List<Tree>>> members = new HashMap<>();

    TestTexts() throws IOException {
        for (Path file : Sources.tests()) {
            files.computeIfAbsent(Sources.typeName(file), name -> new ArrayList<>())
                    .add(file);
        }
    }

    /** The texts of a test; empty where there is no such test. */
    List<String> of(String type, String method) throws IOException {
        for (Path file : files.getOrDefault(type, List.of())) {
            if (members(file).getOrDefault(method, List.of()).stream().anyMatch(MethodTree.class::isInstance)) {
                return used(file, method);
            }
        }
        return List.of();
    }

    private List<String> used(Path file, String method) throws IOException {
        Reader reader = new Reader();
        Deque<Map.Entry<Path, String>> open = new ArrayDeque<>(List.of(Map.entry(file, method)));
        for (Tree start : members(file).getOrDefault("@Before", List.of())) {
            open.add(Map.entry(file, ((MethodTree) start).getName().toString()));
        }
        Set<Map.Entry<Path, String>> seen = new HashSet<>();
        while (!open.isEmpty()) {
            Map.Entry<Path, String> member = open.pop();
            if (!seen.add(member)) {
                continue;
            }
            reader.names.clear();
            reader.selected.clear();
            members(member.getKey())
                    .getOrDefault(member.getValue(), List.of())
                    .forEach(tree -> tree.accept(reader, null));
            reader.names.forEach(name -> open.add(Map.entry(member.getKey(), name)));
            for (String[] other : reader.selected) {
                for (Path named : files.getOrDefault(other[0], List.of())) {
                    if (Objects.equals(named.getParent(), member.getKey().getParent())) {
                        open.add(Map.entry(named, other[1]));
                    }
                }
            }
        }
        return reader.texts;
    }

    /** The methods and fields of a file by name, with those of its nested classes, and under {@code @Before} what runs before each test. */
    private Map<String, List<Tree>> members(Path file) throws IOException {
        Map<String, List<Tree>> known = members.get(file);
        if (known != null) {
            return known;
        }
        Map<String, List<Tree>> found = new HashMap<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, List.of(), null, manager.getJavaFileObjects(file));
            task.parse().forEach(unit -> unit.accept(new Members(found), null));
        }
        members.put(file, found);
        return found;
    }

    private static final class Members extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final Map<String, List<Tree>> found;

        Members(Map<String, List<Tree>> found) {
            this.found = found;
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void none) {
            for (Tree member : tree.getMembers()) {
                if (member instanceof MethodTree method) {
                    add(method.getName().toString(), method);
                    if (method.getModifiers().getAnnotations().stream()
                            .map(AnnotationTree::getAnnotationType)
                            .anyMatch(type -> type.toString().startsWith("Before"))) {
                        add("@Before", method);
                    }
                } else if (member instanceof VariableTree field) {
                    add(field.getName().toString(), field);
                }
            }
            return super.visitClass(tree, none);
        }

        private void add(String name, Tree tree) {
            found.computeIfAbsent(name, first -> new ArrayList<>()).add(tree);
        }
    }

    /** Collects literals, with the parts of a sum as one text, and the names of other members. */
    private static final class Reader extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final List<String> texts = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final List<String[]> selected = new ArrayList<>();

        @Override
        public @Nullable Void visitLiteral(LiteralTree tree, @Nullable Void none) {
            texts.add(text(tree));
            names.add(text(tree));
            return null;
        }

        @Override
        public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void none) {
            texts.add(text(tree));
            return super.visitBinary(tree, none);
        }

        private static String text(Tree tree) {
            if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
                return text(sum.getLeftOperand()) + text(sum.getRightOperand());
            }
            return tree instanceof LiteralTree literal ? String.valueOf(literal.getValue()) : GAP;
        }

        @Override
        public @Nullable Void visitIdentifier(IdentifierTree tree, @Nullable Void none) {
            names.add(tree.getName().toString());
            return null;
        }

        @Override
        public @Nullable Void visitMemberSelect(MemberSelectTree tree, @Nullable Void none) {
            selected.add(new String[] {
                tree.getExpression().toString(), tree.getIdentifier().toString()
            });
            return super.visitMemberSelect(tree, none);
        }
    }
}
