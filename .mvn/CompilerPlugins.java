import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads the plug-ins of javac, which are Error Prone and NullAway, once for all modules of a build.
 *
 * <p>javac makes a class loader for them in each compilation, so that their code begins cold in
 * each of some 70. The option {@code -XDprocloader} names another class loader, which must be on the
 * boot class path: {@code ./gannet} compiles this file and puts it there. Without it, javac does
 * what it always does.
 *
 * <p>Each thread has plug-ins of its own, because two modules may be compiled at a time and the
 * checks keep what they looked up in static fields.
 */
public final class CompilerPlugins extends ClassLoader {
  private static final ThreadLocal<Map<List<String>, ClassLoader>> LOADED =
      ThreadLocal.withInitial(HashMap::new);

  /** Called by javac, by reflection. */
  public CompilerPlugins(URL[] jars, ClassLoader parent) {
    super(
        LOADED
            .get()
            .computeIfAbsent(
                Arrays.stream(jars).map(URL::toString).toList(),
                names -> new URLClassLoader(jars, parent)));
  }
}
