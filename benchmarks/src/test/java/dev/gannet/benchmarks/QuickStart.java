package dev.gannet.benchmarks;

import dev.gannet.benchmarks.compare.process.Program;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts programs in about half the time: with the first compiler alone, and with an archive of
 * their classes (class data sharing), which the first JVM of each program writes when it ends. Such
 * archives need a class path without folders, so those are packed into jars.
 */
public final class QuickStart {
  /** Options of a JVM that runs for seconds. */
  public static final List<String> SHORT_RUN =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static @Nullable QuickStart shared;

  private final Path folder;
  private final String classPath;

  private QuickStart(Path folder, String classPath) {
    this.folder = folder;
    this.classPath = classPath;
  }

  /** Programs of this process's class path; all tests of a process share their archives. */
  public static synchronized QuickStart shared() throws IOException {
    if (shared == null) {
      Path folder = Files.createTempDirectory("gannet-quick-start-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      shared = in(folder);
    }
    return shared;
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      System.err.println(folder + " could not be deleted: " + e);
    }
  }

  private static QuickStart in(Path folder) throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      entries.add(
          Files.isDirectory(path)
              ? pack(path, folder.resolve(entries.size() + ".jar")).toString()
              : entry);
    }
    return new QuickStart(folder, entries.stream().collect(Collectors.joining(File.pathSeparator)));
  }

  private static Path pack(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Iterator<Path> next = files.filter(Files::isRegularFile).iterator(); next.hasNext(); ) {
        Path file = next.next();
        String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return jar;
  }

  /** That program, which is on this process's class path. */
  public Program of(String mainClass, List<String> arguments) {
    List<String> options = new ArrayList<>(SHORT_RUN);
    options.add("-XX:+AutoCreateSharedArchive");
    options.add("-XX:SharedArchiveFile=" + folder.resolve(mainClass + ".jsa"));
    options.add("-Xlog:disable"); // otherwise it warns of classes that it leaves out
    return new Program(classPath, mainClass, arguments, options);
  }
}
