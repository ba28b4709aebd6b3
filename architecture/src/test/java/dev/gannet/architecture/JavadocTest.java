package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What users call or implement says in its Javadoc what its name cannot say; and each Javadoc makes
 * sense alone.
 */
final class JavadocTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*[\\s*]+(?<first>\\w+)[^\\n]*");

  /** First words that stand for a noun which only the comment of the member above has. */
  private static final Set<String> PRONOUNS = Set.of("That", "Those", "Of", "Who", "They");

  /** The methods and constructors of some sources that users can name. */
  private static final class Methods extends TreePathScanner<@Nullable Void, Trees> {
    private final List<String> unexplained = new ArrayList<>();
    private int count;

    @Override
    public @Nullable Void visitClass(ClassTree type, Trees trees) {
      return isSeen(type.getModifiers()) ? super.visitClass(type, trees) : null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, Trees trees) {
      if (isSeen(method.getModifiers()) && !isOverride(method)) {
        count++;
        if (trees.getDocComment(getCurrentPath()) == null) {
          ClassTree type = (ClassTree) getCurrentPath().getParentPath().getLeaf();
          unexplained.add(type.getSimpleName() + "." + method.getName());
        }
      }
      return null; // classes inside a method are not seen
    }

    private boolean isSeen(ModifiersTree modifiers) {
      Tree.Kind parent = getCurrentPath().getParentPath().getLeaf().getKind();
      boolean ofInterface = parent == Tree.Kind.INTERFACE || parent == Tree.Kind.ANNOTATION_TYPE;
      return modifiers.getFlags().contains(Modifier.PUBLIC)
          || modifiers.getFlags().contains(Modifier.PROTECTED)
          || (ofInterface && !modifiers.getFlags().contains(Modifier.PRIVATE));
    }

    private static boolean isOverride(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .anyMatch(it -> it.getAnnotationType().toString().equals("Override"));
    }
  }

  @Test
  void everyMethodOfAStableTypeIsExplained() throws IOException {
    var sources = StableTypes.all().stream().map(StableTypes::source).filter(Files::exists);
    var compiler = ToolProvider.getSystemJavaCompiler();
    Methods methods = new Methods();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjectsFromPaths(sources.collect(Collectors.toSet()));
      JavacTask task = (JavacTask) compiler.getTask(null, files, null, null, null, units);
      Trees trees = Trees.instance(task);
      task.parse().forEach(it -> methods.scan(it, trees));
    }
    assertThat(methods.count).isGreaterThan(1_000); // it has looked
    assertThat(methods.unexplained).isEmpty();
  }

  @Test
  void everyJavadocNamesItsSubject() throws IOException {
    List<String> beginnings = new ArrayList<>();
    List<String> unnamed = new ArrayList<>();
    for (Path source : sourcesOfAllModules()) {
      JAVADOC
          .matcher(Files.readString(source))
          .results()
          .forEach(it -> {
            beginnings.add(it.group("first"));
            if (PRONOUNS.contains(it.group("first"))) {
              unnamed.add(source.getFileName() + ": " + it.group());
            }
          });
    }
    assertThat(beginnings).hasSizeGreaterThan(5_000).contains("The", "This"); // it has looked
    assertThat(unnamed).isEmpty();
  }

  private static List<Path> sourcesOfAllModules() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files.filter(JavadocTest::isMainSource).toList();
    }
  }

  private static boolean isMainSource(Path file) {
    String path = ROOT.relativize(file).toString().replace('\\', '/');
    return path.endsWith(".java")
        && path.contains("src/main/java/")
        && !path.startsWith(".gannet/")
        && !path.contains("target/");
  }
}
