/* Preloaded into the product's processes: their time of day runs a number of seconds beside the real one. The number is
 * read from a file that is mapped, so that a test steps the clocks of all of them at once. Processes without a
 * DATABASE_URL are other people's systems - the database, the broker, the cloud - and keep the real time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static const long none = 0;
static volatile const long *step = &none;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void)
{
    const char *file = getenv("CLOCK_STEP_FILE");
    int fd = file && getenv("DATABASE_URL") ? open(file, O_RDONLY) : -1;
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (fd >= 0) {
        void *mapped = mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, fd, 0);
        if (mapped != MAP_FAILED)
            step = mapped;
    }
}

int clock_gettime(clockid_t id, struct timespec *now)
{
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int answer = real(id, now);
    if (id == CLOCK_REALTIME)
        now->tv_sec += *step;
    return answer;
}
