package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a JVM, measured from outside with {@code jcmd}: the live objects on the heap, and
 * the memory outside of it that buffers use, pooled or not.
 */
record Memory(long heapBytes, long directBytes) {
  // The last line of a histogram, which the JVM makes in one pause, after a collection: the used
  // heap a moment later would include new garbage.
  private static final Pattern LIVE = Pattern.compile("Total +\\d+ +(\\d+)");

  private static final Pattern DIRECT =
      Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB\\)");
  private static final long KIB = 1 << 10;

  /** The memory of the JVM with this process id, which must track native memory. */
  static Memory of(long pid) throws IOException, InterruptedException {
    return new Memory(
        find(LIVE, jcmd(pid, "GC.class_histogram")),
        find(DIRECT, jcmd(pid, "VM.native_memory", "summary")) * KIB);
  }

  long bytes() {
    return heapBytes + directBytes;
  }

  private static long find(Pattern pattern, String said) throws IOException {
    Matcher matcher = pattern.matcher(said);
    if (!matcher.find()) {
      throw new IOException("jcmd does not say " + pattern + ": " + said);
    }
    return Long.parseLong(matcher.group(1));
  }

  private static String jcmd(long pid, String... command) throws IOException, InterruptedException {
    String[] whole = new String[command.length + 2];
    whole[0] = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    whole[1] = Long.toString(pid);
    System.arraycopy(command, 0, whole, 2, command.length);
    Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
